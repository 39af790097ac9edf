//! Logs laid out as each server's own documentation shows them, every field in its place, are detected and
//! read. The values are the tests' own.

use hotset_trace::formats::{FormatKind, Record, RequestTarget, detect};
use hotset_trace::{Method, Protocol};

/// 2024-03-05T14:30:15Z
const TIME_US: i64 = 1_709_649_015_000_000;

/// Detects the format of `log` and gives the only request in it to `check`.
fn read(log: &str, kind: FormatKind, check: impl FnOnce(Record<'_>)) {
    let found = detect(log.as_bytes(), "a.log", Some(log.len() as u64)).expect("a format");
    assert_eq!(found.kind, kind, "{}", found.why);
    let mut format = found.kind.parser();
    let mut check = Some(check);
    for line in log.lines() {
        match format.parse(line.as_bytes()) {
            Ok(Some(record)) => check.take().expect("one request")(record),
            Ok(None) => {}
            Err(error) => panic!("{line}: {error:?}"),
        }
    }
    assert!(check.is_none(), "no request in {log}");
}

/// Caddy documentation, "How Logging Works" (structured logs) and the JSON encoder's default time format.
#[test]
fn caddy() {
    let log = r#"{"level":"info","ts":1709649015.25,"logger":"http.log.access.log0","msg":"handled request","request":{"remote_ip":"192.0.2.7","remote_port":"41342","client_ip":"198.51.100.9","proto":"HTTP/2.0","method":"GET","host":"www.example.org","uri":"/static/app.css?v=2","headers":{"User-Agent":["curl/8.5.0"],"Accept":["*/*"]},"tls":{"resumed":false,"version":772,"cipher_suite":4865,"proto":"h2","server_name":"www.example.org"}},"bytes_read":0,"user_id":"","duration":0.25,"size":10900,"status":200,"resp_headers":{"Server":["Caddy"],"Content-Type":["text/css; charset=utf-8"]}}"#;
    read(log, FormatKind::CADDY, |record| {
        let expected = Record {
            time_us: Some(TIME_US),
            client: b"198.51.100.9",
            host: b"www.example.org",
            method: Method::Get,
            target: RequestTarget::Url(b"/static/app.css?v=2"),
            protocol: Protocol::Http2,
            status: 200,
            bytes: Some(10_900),
            size: None,
            took_us: Some(250_000),
        };
        assert_eq!(record, expected);
    });
}

/// Traefik documentation, "Access Logs", table of available fields; in the order in which Traefik 3 writes
/// them, with what it keeps by default.
#[test]
fn traefik() {
    let log = r#"{"ClientAddr":"192.0.2.7:41342","ClientHost":"192.0.2.7","ClientPort":"41342","ClientUsername":"-","DownstreamContentSize":10900,"DownstreamStatus":200,"Duration":1964899,"OriginContentSize":10900,"OriginDuration":1694568,"OriginStatus":200,"Overhead":270331,"RequestAddr":"www.example.org","RequestContentSize":0,"RequestCount":1,"RequestHost":"www.example.org","RequestMethod":"GET","RequestPath":"/static/app.css?v=2","RequestPort":"-","RequestProtocol":"HTTP/1.1","RequestScheme":"https","RetryAttempts":0,"RouterName":"web@docker","ServiceAddr":"10.0.0.3:3000","ServiceName":"web@docker","ServiceURL":"http://10.0.0.3:3000","StartLocal":"2024-03-05T15:30:15.000000912+01:00","StartUTC":"2024-03-05T14:30:15.000000912Z","TLSCipher":"TLS_AES_128_GCM_SHA256","TLSVersion":"1.3","entryPointName":"websecure","level":"info","msg":"","time":"2024-03-05T14:30:15Z"}"#;
    read(log, FormatKind::TRAEFIK, |record| {
        let expected = Record {
            time_us: Some(TIME_US),
            client: b"192.0.2.7",
            host: b"www.example.org",
            method: Method::Get,
            target: RequestTarget::Url(b"/static/app.css?v=2"),
            protocol: Protocol::Http11,
            status: 200,
            bytes: Some(10_900),
            size: None,
            took_us: Some(1965),
        };
        assert_eq!(record, expected);
    });
}

/// Squid wiki, "Feature: Customizable Log Formats", native format in detail: seconds right-aligned in nine
/// places before the point, milliseconds in six.
#[test]
fn squid() {
    let log = "1709649015.120    120 192.0.2.7 TCP_MISS/200 10900 GET http://www.example.org/static/logo.gif - HIER_DIRECT/198.51.100.9 image/gif";
    read(log, FormatKind::SQUID, |record| {
        let expected = Record {
            time_us: Some(TIME_US),
            client: b"192.0.2.7",
            host: b"www.example.org",
            method: Method::Get,
            target: RequestTarget::Url(b"/static/logo.gif"),
            protocol: Protocol::Unknown,
            status: 200,
            bytes: Some(10_900),
            size: None,
            took_us: Some(120_000),
        };
        assert_eq!(record, expected);
    });
}

/// Microsoft, "W3C Extended Log File Examples": the fields IIS 6 logs by default, no sizes among them.
#[test]
fn iis_6() {
    let log = "#Software: Microsoft Internet Information Services 6.0\r
#Version: 1.0\r
#Date: 2024-03-05 14:30:15\r
#Fields: date time c-ip cs-username s-ip s-port cs-method cs-uri-stem cs-uri-query sc-status cs(User-Agent)\r
2024-03-05 14:30:15 192.0.2.7 - 198.51.100.9 80 GET /images/picture.jpg - 200 Mozilla/5.0+(X11;+Linux)\r
";
    read(log, FormatKind::W3C, |record| {
        let expected = Record {
            time_us: Some(TIME_US),
            client: b"192.0.2.7",
            host: b"",
            method: Method::Get,
            target: RequestTarget::Url(b"/images/picture.jpg"),
            protocol: Protocol::Unknown,
            status: 200,
            bytes: None,
            size: None,
            took_us: None,
        };
        assert_eq!(record, expected);
    });
}

/// AWS, "Standard logging reference": the 33 fields of a standard log file.
#[test]
fn cloudfront() {
    let fields = "date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end";
    let row = "2024-03-05 14:30:15 FRA56-P2 11203 192.0.2.7 GET d111111abcdef8.cloudfront.net /static/app.css 200 - curl/8.5.0 v=2 - Hit Q2xvdWRGcm9udC1yZXF1ZXN0LWlk www.example.org https 23 0.001 - TLSv1.3 TLS_AES_128_GCM_SHA256 Hit HTTP/2.0 - - 41342 0.001 Hit text/css 10900 - -";
    let log = format!(
        "#Version: 1.0\n#Fields: {fields}\n{}\n",
        row.replace(' ', "\t")
    );
    read(&log, FormatKind::W3C, |record| {
        let expected = Record {
            time_us: Some(TIME_US - 1_000),
            client: b"192.0.2.7",
            host: b"www.example.org",
            method: Method::Get,
            target: RequestTarget::Url(b"/static/app.css?v=2"),
            protocol: Protocol::Http2,
            status: 200,
            bytes: Some(11_203),
            size: None,
            took_us: Some(1_000),
        };
        assert_eq!(record, expected);
    });
    let without_header = log.lines().nth(2).expect("a row");
    read(without_header, FormatKind::CLOUDFRONT, |record| {
        assert_eq!(record.time_us, Some(TIME_US - 1_000));
        assert_eq!(record.host, b"www.example.org");
        assert_eq!((record.status, record.bytes), (200, Some(11_203)));
    });
}

/// A request for `/static/app.css?v=2` of www.example.org over HTTP/1.1, answered 200.
const REQUEST: Record<'static> = Record {
    time_us: Some(TIME_US),
    client: b"192.0.2.7",
    host: b"www.example.org",
    method: Method::Get,
    target: RequestTarget::Url(b"/static/app.css?v=2"),
    protocol: Protocol::Http11,
    status: 200,
    bytes: Some(10_900),
    size: None,
    took_us: None,
};

/// The same, answered after so many microseconds.
fn took(took_us: u64) -> Record<'static> {
    Record {
        took_us: Some(took_us),
        ..REQUEST
    }
}

/// AWS, "Access logs for your Application Load Balancer", table of fields: those of 2024, some of them absent.
#[test]
fn alb() {
    let log = r#"https 2024-03-05T14:30:15.084000Z app/web/50dc6c495c0c9188 192.0.2.7:41342 10.0.0.66:9000 0.001 0.080 0.003 200 200 120 10900 "GET https://www.example.org:443/static/app.css?v=2 HTTP/1.1" "curl/8.5.0" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/web/73e2d6bc24d8a067 "Root=1-58337327-72bd00b0343d75b906739c42" "www.example.org" "arn:aws:acm:eu-west-1:123456789012:certificate/12345678-1234-1234-1234-123456789012" 1 2024-03-05T14:30:15.000000Z "forward" "-" "-" "10.0.0.66:9000" "200" "-" "-" TID_123456"#;
    read(log, FormatKind::ALB, |record| {
        assert_eq!(record, took(84_000))
    });
}

/// AWS, "Access logs for your Classic Load Balancer", syntax of an entry.
#[test]
fn elb() {
    let log = r#"2024-03-05T14:30:15.000000Z web 192.0.2.7:41342 10.0.0.1:80 0.000086 0.001048 0.001337 200 200 0 10900 "GET https://www.example.org:443/static/app.css?v=2 HTTP/1.1" "curl/8.5.0" DHE-RSA-AES128-SHA TLSv1.2"#;
    read(log, FormatKind::ELB, |record| {
        assert_eq!(record, took(2_471))
    });
}

/// AWS, "Amazon S3 server access log format", log record fields.
#[test]
fn s3() {
    let owner = "79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be";
    let log = format!(
        r#"{owner} assets [05/Mar/2024:14:30:15 +0000] 192.0.2.7 {owner} 3E57427F33A59F07 REST.GET.OBJECT static/app.css "GET /assets/static/app.css?x-foo=bar HTTP/1.1" 200 - 10900 10900 70 10 "-" "curl/8.5.0" - s9lzHYrFp76ZVxRcpX9+5cjAnEH2ROuNkd2BHfIa6UkFVdtjf5mKR3/eTPFvsiP/XV/VLi31234= SigV4 ECDHE-RSA-AES128-GCM-SHA256 AuthHeader s3.eu-west-1.amazonaws.com TLSv1.2 - -"#
    );
    read(&log, FormatKind::S3, |record| {
        let expected = Record {
            host: b"assets",
            target: RequestTarget::Url(b"/static/app.css"),
            size: Some(10_900),
            took_us: Some(70_000),
            ..REQUEST
        };
        assert_eq!(record, expected);
    });
}

/// HAProxy configuration manual, "HTTP log format", behind the prefix of syslog.
#[test]
fn haproxy() {
    let log = r#"Mar  5 14:30:15 lb1 haproxy[14389]: 192.0.2.7:41342 [05/Mar/2024:14:30:15.000] http-in static/srv1 10/0/30/69/109 200 10900 - - ---- 1/1/1/1/0 0/0 {www.example.org} {} "GET /static/app.css?v=2 HTTP/1.1""#;
    read(log, FormatKind::HAPROXY, |record| {
        assert_eq!(record, took(109_000))
    });
}

/// HAProxy configuration manual, "HTTPS log format": the errors and TLS behind the request.
#[test]
fn haproxy_https() {
    let log = r#"192.0.2.7:41342 [05/Mar/2024:14:30:15.000] https-in~ static/srv1 10/0/30/69/109 200 10900 - - ---- 1/1/1/1/0 0/0 "GET /static/app.css?v=2 HTTP/1.1" 0/0000000000000000/0/0/0 www.example.org/TLSv1.3/TLS_AES_256_GCM_SHA384"#;
    read(log, FormatKind::HAPROXY, |record| {
        assert_eq!(record, took(109_000))
    });
}

/// Envoy documentation, "Access logging", default format string.
#[test]
fn envoy() {
    let log = r#"[2024-03-05T14:30:15.000Z] "GET /static/app.css?v=2 HTTP/1.1" 200 - 0 10900 226 100 "192.0.2.7" "curl/8.5.0" "cc21d9b0-cf5c-432b-8c7e-98aeb7988cd2" "www.example.org" "10.0.2.1:80""#;
    read(log, FormatKind::ENVOY, |record| {
        assert_eq!(record, took(226_000))
    });
}

/// Istio documentation, "Envoy Access Logs", default format.
#[test]
fn istio() {
    let log = r#"[2024-03-05T14:30:15.000Z] "GET /static/app.css?v=2 HTTP/1.1" 200 - via_upstream - "-" 0 10900 4 4 "-" "curl/8.5.0" "84961386-6d84-929d-98bd-c5aee93b5c88" "www.example.org:8000" "127.0.0.1:80" inbound|8000|| 127.0.0.1:41854 10.44.1.27:80 192.0.2.7:37652 outbound_.8000_._.www.example.org default"#;
    read(log, FormatKind::ENVOY, |record| {
        assert_eq!(record, took(4_000))
    });
}

/// ltsv.org, "Labels for Web server's Log".
#[test]
fn ltsv() {
    let log = "time:[05/Mar/2024:15:30:15 +0100]\thost:192.0.2.7\tforwardedfor:-\treq:GET /static/app.css?v=2 HTTP/1.1\tstatus:200\tsize:10900\treferer:-\tua:curl/8.5.0\treqtime:0.030\tcache:-\truntime:-\tvhost:www.example.org";
    read(log, FormatKind::LTSV, |record| {
        assert_eq!(record, took(30_000))
    });
}

/// `log_format main` of the configuration that nginx's packages install: the documented `combined` and the
/// forwarded addresses.
#[test]
fn nginx_main() {
    let log = r#"192.0.2.7 - - [05/Mar/2024:15:30:15 +0100] "GET /static/app.css?v=2 HTTP/1.1" 200 10900 "-" "curl/8.5.0" "-""#;
    read(log, FormatKind::COMBINED, |record| {
        let expected = Record {
            time_us: Some(TIME_US),
            client: b"192.0.2.7",
            host: b"",
            method: Method::Get,
            target: RequestTarget::Url(b"/static/app.css?v=2"),
            protocol: Protocol::Http11,
            status: 200,
            bytes: Some(10_900),
            size: None,
            took_us: None,
        };
        assert_eq!(record, expected);
    });
}
