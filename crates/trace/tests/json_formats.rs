//! JSON logs as their documentation shows them, and as pipelines change them on the way.

use hotset_trace::formats::json::{JsonField, JsonKeys, JsonKeysError};
use hotset_trace::formats::{Format, FormatKind, Record, Reject, RequestTarget, detect};
use hotset_trace::{Method, Protocol};

/// 2024-03-05T14:30:15Z
const TIME_US: i64 = 1_709_649_015_000_000;

const CADDY: &str = r#"{"level":"info","ts":1709649015.25,"logger":"http.log.access.log0","msg":"handled request","request":{"remote_ip":"192.0.2.7","remote_port":"41342","client_ip":"198.51.100.9","proto":"HTTP/2.0","method":"GET","host":"www.example.org","uri":"/static/app.css?v=2","headers":{"User-Agent":["curl/8.5.0"]}},"bytes_read":0,"duration":0.25,"size":10900,"status":200,"resp_headers":{"Server":["Caddy"]}}"#;
const TRAEFIK: &str = r#"{"ClientHost":"198.51.100.9","DownstreamContentSize":10900,"DownstreamStatus":200,"Duration":1964899,"RequestHost":"www.example.org","RequestMethod":"GET","RequestPath":"/static/app.css?v=2","RequestProtocol":"HTTP/2.0","StartUTC":"2024-03-05T14:30:15.000000912Z","time":"2024-03-05T14:30:16Z"}"#;
/// Cloud Logging: sizes are strings, the URL is absolute.
const GCP_LB: &str = r#"{"httpRequest":{"cacheLookup":true,"latency":"0.250s","protocol":"HTTP/2.0","remoteIp":"198.51.100.9","requestMethod":"GET","requestSize":"84","requestUrl":"https://www.example.org/static/app.css?v=2","responseSize":"10900","serverIp":"10.0.0.5","status":200,"userAgent":"curl/8.5.0"},"insertId":"1a2b","jsonPayload":{"@type":"type.googleapis.com/google.cloud.loadbalancing.type.LoadBalancerLogEntry","remoteIp":"198.51.100.9","statusDetails":"response_sent_by_backend"},"logName":"projects/p/logs/requests","receiveTimestamp":"2024-03-05T14:30:16.123456789Z","resource":{"labels":{"zone":"global"},"type":"http_load_balancer"},"severity":"INFO","timestamp":"2024-03-05T14:30:15Z"}"#;
const CLOUDFLARE: &str = r#"{"CacheCacheStatus":"hit","ClientASN":64500,"ClientIP":"198.51.100.9","ClientRequestHost":"www.example.org","ClientRequestMethod":"GET","ClientRequestPath":"/static/app.css","ClientRequestProtocol":"HTTP/2","ClientRequestURI":"/static/app.css?v=2","EdgeEndTimestamp":1709649015010000000,"EdgeResponseBytes":10900,"EdgeResponseStatus":200,"EdgeStartTimestamp":1709649015000000000,"RayID":"3a6050bcbe121a87"}"#;
const AZURE_1: &str = r#"{"resourceId":"/SUBSCRIPTIONS/S/RESOURCEGROUPS/G/PROVIDERS/MICROSOFT.NETWORK/APPLICATIONGATEWAYS/A","operationName":"ApplicationGatewayAccess","time":"2024-03-05T14:30:15Z","category":"ApplicationGatewayAccessLog","properties":{"instanceId":"ApplicationGatewayRole_IN_0","clientIP":"198.51.100.9","clientPort":46886,"httpMethod":"GET","requestUri":"/static/app.css","requestQuery":"v=2&X-AzureApplicationGateway-CACHE-HIT=0&SERVER-ROUTED=10.4.0.4&X-AzureApplicationGateway-LOG-ID=1&SERVER-STATUS=200","userAgent":"-","httpStatus":200,"httpVersion":"HTTP/2.0","receivedBytes":65,"sentBytes":10900,"timeTaken":205,"sslEnabled":"off","host":"www.example.org"}}"#;
const AZURE_2: &str = r#"{"timeStamp":"2024-03-05T14:30:15+00:00","resourceId":"/SUBSCRIPTIONS/S/APPLICATIONGATEWAYS/A","listenerName":"l","operationName":"ApplicationGatewayAccess","category":"ApplicationGatewayAccessLog","properties":{"instanceId":"appgw_1","clientIP":"198.51.100.9","clientPort":46886,"httpMethod":"GET","originalRequestUriWithArgs":"/static/app.css?v=2","requestUri":"/rewritten/app.css","requestQuery":"w=3","userAgent":"-","httpStatus":200,"httpVersion":"HTTP/2.0","receivedBytes":65,"sentBytes":10900,"timeTaken":0.205,"sslEnabled":"off","host":"backend.internal","originalHost":"www.example.org"}}"#;
const ISTIO: &str = r#"{"authority":"www.example.org","bytes_received":0,"bytes_sent":10900,"connection_termination_details":null,"downstream_local_address":"10.0.0.5:8080","downstream_remote_address":"198.51.100.9:51234","duration":12,"method":"GET","path":"/static/app.css?v=2","protocol":"HTTP/2","request_id":"1a2b","requested_server_name":null,"response_code":200,"response_code_details":"via_upstream","response_flags":"-","route_name":"default","start_time":"2024-03-05T14:30:15.000Z","upstream_cluster":"c","upstream_host":"10.0.0.6:80","upstream_service_time":"11","user_agent":"curl/8.5.0","x_forwarded_for":null}"#;
const ENVOY_GATEWAY: &str = r#"{":authority":"www.example.org","bytes_received":0,"bytes_sent":10900,"connection_termination_details":null,"downstream_local_address":"10.0.0.5:8080","downstream_remote_address":"10.0.0.1:51234","duration":12,"method":"GET","protocol":"HTTP/2","response_code":200,"response_flags":"-","start_time":"2024-03-05T14:30:15.000Z","upstream_host":"10.0.0.6:80","user-agent":"curl/8.5.0","x-envoy-origin-path":"/static/app.css?v=2","x-forwarded-for":"198.51.100.9, 10.0.0.1"}"#;
const CONTOUR: &str = r#"{"@timestamp":"2024-03-05T14:30:15.000Z","authority":"www.example.org","bytes_received":0,"bytes_sent":10900,"downstream_local_address":"10.0.0.5:8080","downstream_remote_address":"10.0.0.1:51234","duration":12,"method":"GET","path":"/static/app.css?v=2","protocol":"HTTP/2","request_id":"1a2b","response_code":200,"response_flags":"-","x_forwarded_for":"198.51.100.9"}"#;
const NGINX: &str = r#"{"time_local":"05/Mar/2024:14:30:15 +0000","remote_addr":"198.51.100.9","remote_user":"","request":"GET /static/app.css?v=2 HTTP/2.0","status":"200","body_bytes_sent":"10900","request_time":"0.250","http_referer":"","http_user_agent":"curl/8.5.0","host":"www.example.org"}"#;
const NGINX_PARTS: &str = r#"{"msec":1709649015.000,"time_iso8601":"2024-03-05T15:30:15+01:00","http_x_forwarded_for":"198.51.100.9, 10.0.0.1","remote_addr":"10.0.0.1","request_method":"GET","request_uri":"/static/app.css?v=2","uri":"/index.php","args":"v=2","server_protocol":"HTTP/2.0","status":200,"bytes_sent":11200,"body_bytes_sent":10900,"http_host":"www.example.org:443"}"#;
const NGINX_PATH: &str = r#"{"time_iso8601":"2024-03-05T14:30:15+00:00","http_x_forwarded_for":"-","remote_addr":"198.51.100.9","request_method":"GET","uri":"/static/app.css","args":"v=2","server_protocol":"HTTP/2.0","status":200,"bytes_sent":10900,"server_name":"www.example.org"}"#;

const DOCUMENTED: [(FormatKind, &str); 12] = [
    (FormatKind::CADDY, CADDY),
    (FormatKind::TRAEFIK, TRAEFIK),
    (FormatKind::GCP_LB, GCP_LB),
    (FormatKind::CLOUDFLARE, CLOUDFLARE),
    (FormatKind::AZURE_GATEWAY, AZURE_1),
    (FormatKind::AZURE_GATEWAY, AZURE_2),
    (FormatKind::ENVOY_JSON, ISTIO),
    (FormatKind::ENVOY_JSON, ENVOY_GATEWAY),
    (FormatKind::ENVOY_JSON, CONTOUR),
    (FormatKind::NGINX_JSON, NGINX),
    (FormatKind::NGINX_JSON, NGINX_PARTS),
    (FormatKind::NGINX_JSON, NGINX_PATH),
];

fn expected() -> Record<'static> {
    Record {
        time_us: Some(TIME_US),
        client: b"198.51.100.9",
        host: b"www.example.org",
        method: Method::Get,
        target: RequestTarget::Url(b"/static/app.css?v=2"),
        protocol: Protocol::Http2,
        status: 200,
        bytes: Some(10_900),
        size: None,
        took_us: None,
    }
}

#[test]
fn durations_are_read_where_a_format_has_them() {
    let took = |kind: FormatKind, line: &str| {
        let mut format = kind.parser();
        let record = format.parse(line.as_bytes()).unwrap().unwrap();
        (record.took_us, record.time_us)
    };
    let logged = Some(TIME_US);
    assert_eq!(took(FormatKind::CADDY, CADDY), (Some(250_000), logged));
    assert_eq!(took(FormatKind::TRAEFIK, TRAEFIK), (Some(1965), logged));
    assert_eq!(took(FormatKind::NGINX_JSON, NGINX), (Some(250_000), logged));
    assert_eq!(took(FormatKind::NGINX_JSON, NGINX_PARTS), (None, logged));
    assert_eq!(took(FormatKind::ENVOY_JSON, ISTIO), (Some(12_000), logged));
    let odd = NGINX.replace("0.250", "soon");
    assert_eq!(took(FormatKind::NGINX_JSON, &odd), (None, logged));
}

fn is_expected(format: &mut dyn Format, line: &str) {
    let record = format
        .parse(line.as_bytes())
        .map(|record| {
            record.map(|record| Record {
                took_us: None,
                ..record
            })
        })
        .map_err(|reject| format!("{reject}: {line}"));
    assert_eq!(record, Ok(Some(expected())), "{line}");
}

fn rejected(format: &mut dyn Format, line: &str) -> Reject {
    format.parse(line.as_bytes()).expect_err(line)
}

fn keys(text: &str) -> Box<dyn Format> {
    text.parse::<JsonKeys>().expect(text).parser()
}

#[test]
fn documented_lines_are_read_field_by_field() {
    for (kind, line) in DOCUMENTED {
        is_expected(kind.parser().as_mut(), line);
    }
}

#[test]
fn documented_lines_are_read_by_their_own_format_alone() {
    for (kind, line) in DOCUMENTED {
        for &other in FormatKind::ALL.iter().filter(|other| **other != kind) {
            let is_read = matches!(other.parser().parse(line.as_bytes()), Ok(Some(_)));
            assert!(
                !is_read || other == FormatKind::CSV || other.name().starts_with("keys"),
                "{other} reads {line}"
            );
        }
        let log = format!("{line}\n").repeat(3);
        let detection = detect(log.as_bytes(), "access.log", Some(log.len() as u64));
        assert_eq!(detection.map(|it| it.kind), Ok(kind), "{line}");
    }
}

#[test]
fn a_prefix_before_the_record_is_survived() {
    for prefix in [
        "caddy-1  | ",
        "Mar  5 14:30:15 web1 envoy[311]: ",
        "<134>1 2024-03-05T14:30:15Z web1 envoy 311 - - ",
        "2024-03-05T14:30:15.123456789Z stdout F ",
        "\u{feff}",
        "  ",
    ] {
        for (kind, line) in DOCUMENTED {
            is_expected(kind.parser().as_mut(), &format!("{prefix}{line}\r\n"));
        }
    }
}

#[test]
fn numbers_written_as_strings_are_read() {
    for (kind, line) in DOCUMENTED {
        let quoted = line
            .replace(":200,", r#":"200","#)
            .replace(":10900,", r#":"10900","#)
            .replace(":1709649015000000000,", r#":"1709649015000000000","#)
            .replace(":1709649015.000,", r#":"1709649015.000","#)
            .replace(":1709649015.25,", r#":"1709649015.25","#)
            .replace(":0.25,", r#":"0.25","#);
        is_expected(kind.parser().as_mut(), &quoted);
    }
}

#[test]
fn cloudflare_times_are_read_in_every_timestamp_format() {
    for time in [
        "1709649015000000000",
        "1709649015",
        "1709649015000",
        "\"2024-03-05T14:30:15Z\"",
        "\"2024-03-05T14:30:15.000000Z\"",
    ] {
        let line = CLOUDFLARE.replace("1709649015000000000", time);
        is_expected(FormatKind::CLOUDFLARE.parser().as_mut(), &line);
    }
}

#[test]
fn an_envelope_of_one_azure_record_is_read_and_one_of_two_is_refused() {
    let mut format = FormatKind::AZURE_GATEWAY.parser();
    is_expected(format.as_mut(), &format!(r#"{{"records":[{AZURE_1}]}}"#));
    is_expected(
        format.as_mut(),
        &format!(r#"{{"records": [ {AZURE_2} ] }}"#),
    );
    let two = format!(r#"{{"records":[{AZURE_2},{AZURE_2}]}}"#);
    assert_eq!(rejected(format.as_mut(), &two), Reject::SeveralValues);
}

#[test]
fn azure_queries_of_the_gateway_alone_are_none() {
    let line = AZURE_1.replace("v=2&X-Azure", "X-Azure");
    let mut format = FormatKind::AZURE_GATEWAY.parser();
    let record = format
        .parse(line.as_bytes())
        .expect("a record")
        .expect("a request");
    assert_eq!(record.target, RequestTarget::Url(b"/static/app.css"));
}

#[test]
fn what_holds_no_request_is_rejected_and_says_nothing_against_the_format() {
    let message =
        r#"{"level":"info","ts":1709649015.1,"logger":"admin","msg":"admin endpoint started"}"#;
    let mut log = format!("{message}\n").repeat(30);
    log.push_str(&format!("{CADDY}\n").repeat(10));
    let detection = detect(log.as_bytes(), "caddy.log", None).expect("Caddy");
    assert_eq!(detection.kind, FormatKind::CADDY);
    assert_eq!(
        detection.why,
        "10 of the first 10 lines read as caddy, 30 more hold no request"
    );
    assert_eq!(
        rejected(FormatKind::CADDY.parser().as_mut(), message),
        Reject::NotARequest
    );
}

#[test]
fn a_host_under_an_unknown_key_leaves_a_doubt() {
    let doubt = |line: &str| {
        let found = detect(line.as_bytes(), "access.log", None).expect("a format");
        assert_eq!(found.kind, FormatKind::NGINX_JSON);
        found.doubt
    };
    let other_key = NGINX.replace("\"host\"", "\"virtual_domain\"");
    let stated = doubt(&other_key).expect("a doubt");
    assert!(stated.contains("the key virtual_domain"), "{stated}");
    assert_eq!(doubt(NGINX), None);
    assert_eq!(
        doubt(&NGINX.replace(",\"host\":\"www.example.org\"", "")),
        None
    );
}

#[test]
fn requests_of_another_json_log_speak_against_the_format() {
    let log = format!("{CADDY}\n{TRAEFIK}\n{TRAEFIK}\n").repeat(5);
    let error = detect(log.as_bytes(), "mixed.log", None).expect_err("two formats");
    assert!(
        error
            .to_string()
            .contains("traefik, reads 10 of its first 15"),
        "{error}"
    );
}

#[test]
fn a_failed_request_in_caddys_error_log_is_not_a_second_request() {
    let line = CADDY
        .replace("http.log.access.log0", "http.log.error.log0")
        .replace(r#""size":10900,"#, "");
    assert_eq!(
        rejected(FormatKind::CADDY.parser().as_mut(), &line),
        Reject::NotARequest
    );
}

#[test]
fn a_line_without_what_the_format_always_logs_is_not_a_request() {
    for (kind, line, without) in [
        (FormatKind::NGINX_JSON, NGINX, "body_bytes_sent"),
        (FormatKind::NGINX_JSON, NGINX, "remote_addr"),
        (FormatKind::NGINX_JSON, NGINX, "status"),
        (FormatKind::NGINX_JSON, NGINX, "time_local"),
        (FormatKind::NGINX_JSON, NGINX, "request"),
        (FormatKind::NGINX_JSON, NGINX_PATH, "request_method"),
        (FormatKind::ENVOY_JSON, ISTIO, "authority"),
        (FormatKind::ENVOY_JSON, ISTIO, "bytes_sent"),
        (FormatKind::ENVOY_JSON, ISTIO, "path"),
        (FormatKind::GCP_LB, GCP_LB, "status"),
        (FormatKind::CLOUDFLARE, CLOUDFLARE, "EdgeStartTimestamp"),
        (FormatKind::AZURE_GATEWAY, AZURE_2, "httpMethod"),
    ] {
        let line = line.replace(&format!("\"{without}\":"), &format!("\"other_{without}\":"));
        assert_eq!(
            rejected(kind.parser().as_mut(), &line),
            Reject::NotARequest,
            "{line}"
        );
    }
}

#[test]
fn bad_values_are_rejected_by_what_is_bad() {
    let mut caddy = FormatKind::CADDY.parser();
    for (value, bad, reject) in [
        ("\"status\":200", "\"status\":2000", Reject::BadStatus),
        ("\"status\":200", "\"status\":\"ok\"", Reject::BadStatus),
        ("\"status\":200", "\"status\":200.5", Reject::BadStatus),
        ("\"status\":200", "\"status\":true", Reject::NotARequest),
        ("\"status\":200", "\"status\":null", Reject::NotARequest),
        ("\"size\":10900", "\"size\":-1", Reject::BadSize),
        ("\"size\":10900", "\"size\":\"10 kB\"", Reject::BadSize),
        ("\"size\":10900", "\"size\":1e30", Reject::BadSize),
        ("1709649015.25", "-1709649015.25", Reject::BadTime),
        ("1709649015.25", "\"yesterday\"", Reject::BadTime),
        ("1709649015.25", "\"2024-03-05\"", Reject::BadTime),
        (
            "\"duration\":0.25",
            "\"duration\":\"long\"",
            Reject::BadTime,
        ),
        ("/static/", "\\ud800", Reject::NotJson),
        (
            "\"level\":\"info\"",
            "\"status\":200",
            Reject::SeveralValues,
        ),
    ] {
        let line = CADDY.replace(value, bad);
        assert_eq!(rejected(caddy.as_mut(), &line), reject, "{line}");
    }
}

#[test]
fn durations_are_subtracted_in_every_spelling() {
    for duration in [
        "0.25",
        "\"0.25\"",
        "2.5e-1",
        "\"250ms\"",
        "\"0.25s\"",
        "\"249ms1000µs\"",
        "\"250000000ns\"",
    ] {
        let line = CADDY.replace("\"duration\":0.25", &format!("\"duration\":{duration}"));
        is_expected(FormatKind::CADDY.parser().as_mut(), &line);
    }
    for (unit, value) in [
        ("duration", "0.25"),
        ("duration_ms", "250"),
        ("duration_us", "250000"),
        ("duration_ns", "250000000"),
        ("duration_ms", "\"250ms\""),
    ] {
        let line = format!(r#"{{"t":1709649015.25,"took":{value},"u":"/","s":200}}"#);
        let mut format = keys(&format!("time=t,{unit}=took,uri=u,status=s"));
        let record = format
            .parse(line.as_bytes())
            .expect("a record")
            .expect("a request");
        assert_eq!(record.time_us, Some(TIME_US), "{unit}={value}");
    }
}

#[test]
fn times_keep_every_digit() {
    for (time, us) in [
        ("1709649015000000999", TIME_US + 1),
        ("1709649015000000499", TIME_US),
        ("1709649015000001", TIME_US + 1),
        ("1709649015.000001", TIME_US + 1),
        ("1709649015000.001", TIME_US + 1),
        ("17096490150.00001e-1", TIME_US + 1),
        ("\"05/Mar/2024:15:30:15 +0100\"", TIME_US),
        ("\"[05/Mar/2024:14:30:15 +0000]\"", TIME_US),
        ("\"2024-03-05 14:30:15\"", TIME_US),
        ("\"2024-03-05T14:30:15.000001\"", TIME_US + 1),
        ("\"2024-03-05 14:30:15,000001\"", TIME_US + 1),
        ("\"2024-03-05T15:30:15.000001+01:00\"", TIME_US + 1),
    ] {
        let line = format!(r#"{{"t":{time},"u":"/","s":200}}"#);
        let mut format = keys("time=t,uri=u,status=s");
        let record = format
            .parse(line.as_bytes())
            .expect(time)
            .expect("a request");
        assert_eq!(record.time_us, Some(us), "{time}");
    }
}

#[test]
fn keys_given_as_text_read_any_json_log() {
    let line = r#"{"http":{"when":"05/Mar/2024:14:30:15 +0000","verb":"GET","target":"/static/app.css?v=2","proto":"HTTP/2"},"peer":["198.51.100.9"],"site.name":"www.example.org","answer":{"code":"200","length":10900}}"#;
    let mut format = keys(
        "time=http.when,method=http.verb,uri=http.target,protocol=http.proto,client=peer,host=site.name,status=answer.code,bytes=answer.length",
    );
    is_expected(format.as_mut(), line);
    let line = r#"{"log":"GET https://www.example.org/static/app.css?v=2 HTTP/2.0","at":1709649015,"ip":"-","peer":"198.51.100.9:4711","code":200,"out":10900}"#;
    let mut format = keys("request=log,time=at,client=ip,client=peer,status=code,bytes=out");
    is_expected(format.as_mut(), line);
}

#[test]
fn an_address_is_the_same_client_with_a_port_and_without() {
    for address in [
        "2001:db8::5b",
        "[2001:db8::5b]",
        "[2001:db8::5b]:4711",
        " 2001:db8::5b , 10.0.0.1",
    ] {
        let line = format!(r#"{{"u":"/a","s":200,"c":"{address}"}}"#);
        let mut format = keys("uri=u,status=s,client=c");
        let record = format.parse(line.as_bytes()).expect("a record");
        assert_eq!(
            record.expect("a request").client,
            b"2001:db8::5b",
            "{address}"
        );
    }
}

#[test]
fn without_time_and_method_requests_are_gets_at_no_time() {
    let mut format = keys("uri=u,status=s");
    let record = format
        .parse(br#"{"u":"/a","s":404}"#)
        .expect("a record")
        .expect("a request");
    assert_eq!(
        (record.time_us, record.method, record.status),
        (None, Method::Get, 404)
    );
    assert_eq!(
        (record.bytes, record.client, record.host),
        (None, &b""[..], &b""[..])
    );
}

#[test]
fn a_request_that_never_came_is_for_no_file() {
    for request in ["", "-", "\\u0016\\u0003\\u0001"] {
        let line = NGINX
            .replace("GET /static/app.css?v=2 HTTP/2.0", request)
            .replace("\"200\"", "\"400\"");
        let mut format = FormatKind::NGINX_JSON.parser();
        let record = format
            .parse(line.as_bytes())
            .expect("a record")
            .expect("a request");
        assert_eq!(
            (record.method, record.status),
            (Method::Other, 400),
            "{line}"
        );
    }
}

#[test]
fn backslashes_in_a_request_are_no_escapes_of_its_server() {
    let line = NGINX.replace("app.css?v=2", r"a\\x41\u0022b");
    let mut format = FormatKind::NGINX_JSON.parser();
    let record = format
        .parse(line.as_bytes())
        .expect("a record")
        .expect("a request");
    assert_eq!(record.target, RequestTarget::Url(br#"/static/a\x41"b"#));
}

#[test]
fn a_description_is_written_as_it_is_read() {
    let text = "time=ts,method=request.method,uri=request.uri,query=q,status=status,bytes=size,host=h,client=a,client=b,date=day,request=r,protocol=p,duration=d,duration_ms=e,duration_us=f,duration_ns=g";
    let keys: JsonKeys = text.parse().expect("a description");
    assert_eq!(keys.to_string(), text);
    assert_eq!(
        keys.keys()[1],
        (JsonField::Method, "request.method".to_owned())
    );
    assert_eq!(
        "uri=a, status=b"
            .parse::<JsonKeys>()
            .expect("spaces behind commas")
            .to_string(),
        "uri=a,status=b"
    );
}

#[test]
fn a_description_that_cannot_be_used_says_why() {
    for (text, error) in [
        (
            "uri",
            "'uri' is not FIELD=KEY; write for example uri=request.uri, with commas between fields",
        ),
        (
            "uri=",
            "'uri=' is not FIELD=KEY; write for example uri=request.uri, with commas between fields",
        ),
        (
            "url=a,status=b",
            "there is no field 'url'; known are time, date, method, uri, query, status, bytes, host, client, request, protocol, duration, duration_ms, duration_us, duration_ns",
        ),
        (
            "time=t,status=s",
            "no key holds the path; add uri=KEY, or request=KEY for a whole request line",
        ),
        ("uri=u", "no key holds the status; add status=KEY"),
    ] {
        let found: Result<JsonKeys, JsonKeysError> = text.parse();
        assert_eq!(found.expect_err(text).to_string(), error);
    }
}

#[test]
fn keys_that_no_line_holds_are_found() {
    let keys: JsonKeys = "uri=request.url,uri=path,status=status"
        .parse()
        .expect("a description");
    let head = format!("starting\ncaddy | {CADDY}\n{CADDY}\n");
    let missing = keys.missing_in(head.as_bytes()).expect("a missing key");
    assert_eq!(
        (missing.field, missing.keys, missing.lines),
        (
            JsonField::Uri,
            vec!["request.url".to_owned(), "path".to_owned()],
            2
        )
    );
    assert!(
        missing.held.contains(&"request.uri".to_owned()),
        "{:?}",
        missing.held
    );
    let keys: JsonKeys = "uri=request.uri,status=status"
        .parse()
        .expect("a description");
    assert_eq!(keys.missing_in(head.as_bytes()), None);
    assert_eq!(keys.missing_in(b"no JSON\n"), None);
}
