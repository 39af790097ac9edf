//! The same requests in each format to columns: how many bytes of a log are read per second of processor time, beside
//! the combined format; and what of that is parsing.
//!
//! `cargo bench -p hotset-trace --bench formats [-- NAME…]`; without names, all formats below.

#![allow(clippy::print_stdout, missing_docs)]

use hotset_trace::formats::FormatKind;
use hotset_trace::read::{ReadError, ReadOptions, read_batches};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::fs::File;
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

const LINES: u64 = 500_000;
const PATHS: u64 = 20_000;
const RUNS: usize = 5;
const SEED: u64 = 7;

/// 2024-03-05T14:00:00Z
const START_S: u64 = 1_709_647_200;

const AGENT: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:136.0) Gecko/20100101 Firefox/136.0";
const HOSTS: [&str; 3] = ["www.example.org", "shop.example.org", "img.example.org"];

/// A request, each format's way to write it, and the format's name.
struct Request {
    ms: u64,
    client: [u8; 4],
    host: &'static str,
    file: u64,
    status: u16,
    bytes: u64,
}

type Writer = fn(&Request) -> String;

const FORMATS: [(&str, Writer); 16] = [
    ("combined", combined),
    ("caddy", caddy),
    ("traefik", traefik),
    ("nginx-json", nginx_json),
    ("envoy-json", envoy_json),
    ("gcp-lb", gcp_lb),
    ("cloudflare", cloudflare),
    ("azure-gateway", azure_gateway),
    ("alb", alb),
    ("elb", elb),
    ("s3", s3),
    ("cloudfront", cloudfront),
    ("haproxy", haproxy),
    ("envoy", envoy),
    ("ltsv", ltsv),
    ("w3c", w3c),
];

fn main() {
    let names: Vec<String> = std::env::args()
        .skip(1)
        .filter(|it| !it.starts_with("--"))
        .collect();
    let folder = std::env::temp_dir();
    let mut combined_rate = None;
    for (name, write) in FORMATS {
        let is_wanted = names.is_empty() || names.iter().any(|it| it == name) || name == "combined";
        if !is_wanted {
            continue;
        }
        let log = folder.join(format!("hotset-bench-{}-{name}.log", std::process::id()));
        let bytes = generate(&log, header(name), write);
        let mut rates: Vec<f64> = (0..RUNS)
            .map(|_| read(&log, name))
            .map(|seconds| bytes as f64 / 1e9 / seconds)
            .collect();
        rates.sort_by(f64::total_cmp);
        let rate = rates[RUNS / 2];
        let of_combined = rate / *combined_rate.get_or_insert(rate);
        println!(
            "{name:14} {:4} bytes a line, {rate:.3} GB/s of processor time, {of_combined:.2} of combined, {:.2} M lines/s; \
             parsing alone {:.0} ns a line",
            bytes / LINES,
            rate * 1e9 / bytes as f64 * LINES as f64 / 1e6,
            parse(&log, name) * 1e9 / LINES as f64,
        );
        std::fs::remove_file(&log).expect("its own file");
    }
}

/// Reads the log; seconds of processor time.
fn read(log: &Path, name: &str) -> f64 {
    let before = cpu_seconds();
    let (_, summary) = read_batches(
        &[log.to_owned()],
        &ReadOptions::default(),
        &mut |_| ControlFlow::Continue(()),
        |_| Ok::<(), ReadError>(()),
    )
    .expect("the log reads");
    let seconds = cpu_seconds() - before;
    assert_eq!(
        (summary.requests, summary.sources[0].format.as_str()),
        (LINES, name)
    );
    seconds
}

/// Parses the log's lines and does nothing with them; seconds of the quickest run.
fn parse(log: &Path, name: &str) -> f64 {
    let text = std::fs::read(log).expect("the log");
    let kind: FormatKind = name.parse().expect("a format");
    let mut parser = kind.parser();
    let run = |_| {
        let (begin, mut start) = (Instant::now(), 0);
        for end in memchr::memchr_iter(b'\n', &text) {
            black_box(parser.parse(black_box(&text[start..end]))).expect("a line");
            start = end + 1;
        }
        begin.elapsed().as_secs_f64()
    };
    (0..RUNS).map(run).fold(f64::INFINITY, f64::min)
}

/// Processor time of all threads: user and system, fields 14 and 15 of `stat`, in hundredths of a second (`proc(5)`).
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux has stat");
    let after_name = stat.rsplit_once(") ").expect("a name").1;
    let ticks = after_name.split(' ').skip(11).take(2);
    ticks
        .map(|it| it.parse::<f64>().expect("a number"))
        .sum::<f64>()
        / 100.0
}

/// What stands in front of the lines.
fn header(name: &str) -> &'static str {
    match name {
        "w3c" => {
            "#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) \
             cs(Referer) cs-host sc-status sc-substatus sc-win32-status sc-bytes time-taken\n"
        }
        _ => "",
    }
}

fn generate(path: &Path, header: &str, write: Writer) -> u64 {
    let mut rng = Pcg64Mcg::seed_from_u64(SEED);
    let mut log = BufWriter::new(File::create(path).expect("the temporary folder is writable"));
    let mut ms = START_S * 1000;
    let mut bytes = header.len() as u64;
    log.write_all(header.as_bytes()).expect("room for the log");
    for _ in 0..LINES {
        ms += rng.random_range(0..5);
        let share: f64 = rng.random();
        let request = Request {
            ms,
            client: [10, rng.random_range(0..40), rng.random_range(0..40), 7],
            host: HOSTS[rng.random_range(0..HOSTS.len())],
            file: (share * share * share * PATHS as f64) as u64,
            status: if rng.random_bool(0.05) { 304 } else { 200 },
            bytes: rng.random_range(100..90_000),
        };
        let line = write(&request);
        bytes += line.len() as u64 + 1;
        log.write_all(line.as_bytes())
            .and_then(|()| log.write_all(b"\n"))
            .expect("room for the log");
    }
    log.flush().expect("room for the log");
    bytes
}

impl Request {
    fn client(&self) -> String {
        self.client.map(|byte| byte.to_string()).join(".")
    }

    fn path(&self) -> String {
        format!("/static/images/products/{}.jpg", self.file)
    }

    fn time(&self, format: &str) -> String {
        let time = jiff::Timestamp::from_millisecond(self.ms as i64).expect("a time");
        time.strftime(format).to_string()
    }

    fn rfc3339(&self) -> String {
        self.time("%Y-%m-%dT%H:%M:%S%.3fZ")
    }
}

fn combined(it: &Request) -> String {
    format!(
        "{} - - [{}] \"GET {} HTTP/1.1\" {} {} \"https://{}/products\" \"{AGENT}\"",
        it.client(),
        it.time("%d/%b/%Y:%H:%M:%S +0000"),
        it.path(),
        it.status,
        it.bytes,
        it.host
    )
}

fn caddy(it: &Request) -> String {
    format!(
        r#"{{"level":"info","ts":{}.{:03},"logger":"http.log.access.log0","msg":"handled request","request":{{"remote_ip":"{client}","remote_port":"41342","client_ip":"{client}","proto":"HTTP/2.0","method":"GET","host":"{}","uri":"{}","headers":{{"User-Agent":["{AGENT}"],"Accept":["image/avif,image/webp,*/*"],"Accept-Language":["en-US,en;q=0.5"],"Accept-Encoding":["gzip, deflate, br"],"Referer":["https://{}/products"],"Sec-Fetch-Dest":["image"],"Sec-Fetch-Mode":["no-cors"]}},"tls":{{"resumed":false,"version":772,"cipher_suite":4865,"proto":"h2","server_name":"{}"}}}},"bytes_read":0,"user_id":"","duration":0.000929675,"size":{},"status":{},"resp_headers":{{"Server":["Caddy"],"Content-Type":["image/jpeg"],"Last-Modified":["Tue, 05 Mar 2024 10:00:00 GMT"],"Accept-Ranges":["bytes"],"Etag":["\"s9x\""]}}}}"#,
        it.ms / 1000,
        it.ms % 1000,
        it.host,
        it.path(),
        it.host,
        it.host,
        it.bytes,
        it.status,
        client = it.client(),
    )
}

fn traefik(it: &Request) -> String {
    format!(
        r#"{{"ClientAddr":"{client}:41342","ClientHost":"{client}","ClientPort":"41342","ClientUsername":"-","DownstreamContentSize":{},"DownstreamStatus":{},"Duration":1964899,"OriginContentSize":{0},"OriginDuration":1694568,"OriginStatus":200,"Overhead":270331,"RequestAddr":"{host}","RequestContentSize":0,"RequestCount":1,"RequestHost":"{host}","RequestMethod":"GET","RequestPath":"{}","RequestPort":"-","RequestProtocol":"HTTP/1.1","RequestScheme":"https","RetryAttempts":0,"RouterName":"web@docker","ServiceAddr":"10.0.0.3:3000","ServiceName":"web@docker","ServiceURL":"http://10.0.0.3:3000","StartLocal":"{time}","StartUTC":"{time}","TLSCipher":"TLS_AES_128_GCM_SHA256","TLSVersion":"1.3","entryPointName":"websecure","level":"info","msg":"","time":"{time}"}}"#,
        it.bytes,
        it.status,
        it.path(),
        client = it.client(),
        host = it.host,
        time = it.rfc3339(),
    )
}

fn nginx_json(it: &Request) -> String {
    format!(
        r#"{{"time_local":"{}","remote_addr":"{}","remote_user":"","request":"GET {} HTTP/1.1","status":"{}","body_bytes_sent":"{}","request_time":"0.004","http_referer":"https://{}/products","http_user_agent":"{AGENT}","host":"{}"}}"#,
        it.time("%d/%b/%Y:%H:%M:%S +0000"),
        it.client(),
        it.path(),
        it.status,
        it.bytes,
        it.host,
        it.host,
    )
}

fn envoy_json(it: &Request) -> String {
    format!(
        r#"{{"authority":"{}","bytes_received":0,"bytes_sent":{},"connection_termination_details":null,"downstream_local_address":"10.0.0.5:8080","downstream_remote_address":"{client}:51234","duration":12,"method":"GET","path":"{}","protocol":"HTTP/2","request_id":"ca75c98c-070e-44a5-8131-d962bf403345","requested_server_name":null,"response_code":{},"response_code_details":"via_upstream","response_flags":"-","route_name":"default","start_time":"{}","upstream_cluster":"outbound|8000||web","upstream_host":"10.0.0.6:80","upstream_local_address":"10.0.0.5:4711","upstream_service_time":"11","upstream_transport_failure_reason":null,"user_agent":"{AGENT}","x_forwarded_for":"{client}"}}"#,
        it.host,
        it.bytes,
        it.path(),
        it.status,
        it.rfc3339(),
        client = it.client(),
    )
}

fn gcp_lb(it: &Request) -> String {
    format!(
        r#"{{"httpRequest":{{"cacheLookup":true,"latency":"0.025376s","referer":"https://{host}/products","remoteIp":"{client}","requestMethod":"GET","requestSize":"198","requestUrl":"https://{host}{}","responseSize":"{}","serverIp":"10.88.1.139","status":{},"userAgent":"{AGENT}"}},"insertId":"1oi2nmwf4wj376","jsonPayload":{{"@type":"type.googleapis.com/google.cloud.loadbalancing.type.LoadBalancerLogEntry","remoteIp":"{client}","statusDetails":"response_sent_by_backend"}},"logName":"projects/p/logs/requests","receiveTimestamp":"{time}","resource":{{"labels":{{"backend_service_name":"web","forwarding_rule_name":"web-rule","project_id":"p","target_proxy_name":"web-proxy","url_map_name":"web-map","zone":"global"}},"type":"http_load_balancer"}},"severity":"INFO","spanId":"ad5ce504c108a19d","timestamp":"{time}","trace":"projects/p/traces/0474a1e41cfb053be0fd9c422bc292ff"}}"#,
        it.path(),
        it.bytes,
        it.status,
        host = it.host,
        client = it.client(),
        time = it.rfc3339(),
    )
}

fn cloudflare(it: &Request) -> String {
    format!(
        r#"{{"CacheCacheStatus":"hit","CacheResponseBytes":{0},"CacheResponseStatus":200,"ClientASN":64500,"ClientCountry":"de","ClientDeviceType":"desktop","ClientIP":"{1}","ClientIPClass":"noRecord","ClientRequestBytes":2300,"ClientRequestHost":"{2}","ClientRequestMethod":"GET","ClientRequestPath":"{3}","ClientRequestProtocol":"HTTP/2","ClientRequestReferer":"https://{2}/products","ClientRequestURI":"{3}","ClientRequestUserAgent":"{AGENT}","ClientSSLProtocol":"TLSv1.3","ClientSrcPort":51234,"EdgeColoID":4,"EdgeEndTimestamp":{4}000000,"EdgePathingOp":"wl","EdgeResponseBytes":{0},"EdgeResponseContentType":"image/jpeg","EdgeResponseStatus":{5},"EdgeStartTimestamp":{4}000000,"OriginIP":"","OriginResponseStatus":0,"RayID":"3a6050bcbe121a87","ZoneID":155978002}}"#,
        it.bytes,
        it.client(),
        it.host,
        it.path(),
        it.ms,
        it.status,
    )
}

fn azure_gateway(it: &Request) -> String {
    format!(
        r#"{{"timeStamp":"{}","resourceId":"/SUBSCRIPTIONS/S/RESOURCEGROUPS/G/PROVIDERS/MICROSOFT.NETWORK/APPLICATIONGATEWAYS/A","listenerName":"l","ruleName":"r","backendPoolName":"p","backendSettingName":"s","operationName":"ApplicationGatewayAccess","category":"ApplicationGatewayAccessLog","properties":{{"instanceId":"appgw_1","clientIP":"{}","clientPort":46886,"httpMethod":"GET","originalRequestUriWithArgs":"{path}","requestUri":"{path}","requestQuery":"","userAgent":"{AGENT}","httpStatus":{},"httpVersion":"HTTP/1.1","receivedBytes":184,"sentBytes":{},"clientResponseTime":0,"timeTaken":0.034,"transactionId":"592d1649f75a8d480a3c4dc6a975309d","sslEnabled":"on","sslCipher":"ECDHE-RSA-AES256-GCM-SHA384","sslProtocol":"TLSv1.2","serverRouted":"10.0.0.4:80","serverStatus":"200","serverResponseLatency":"0.028","originalHost":"{host}","host":"{host}"}}}}"#,
        it.time("%Y-%m-%dT%H:%M:%S+00:00"),
        it.client(),
        it.status,
        it.bytes,
        path = it.path(),
        host = it.host,
    )
}

/// The fields that both of AWS's balancers log, from the balancer's name to the agent.
fn balanced(it: &Request) -> String {
    format!(
        r#"app/web/50dc6c495c0c9188 {}:41342 10.0.0.66:9000 0.001 0.080 0.003 {} 200 120 {} "GET https://{}:443{} HTTP/1.1" "{AGENT}" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2"#,
        it.client(),
        it.status,
        it.bytes,
        it.host,
        it.path(),
    )
}

fn alb(it: &Request) -> String {
    format!(
        r#"https {time} {} arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/web/73e2d6bc24d8a067 "Root=1-58337327-72bd00b0343d75b906739c42" "{}" "arn:aws:acm:eu-west-1:123456789012:certificate/12345678-1234-1234-1234-123456789012" 1 {time} "forward" "-" "-" "10.0.0.66:9000" "200" "-" "-""#,
        balanced(it),
        it.host,
        time = it.time("%Y-%m-%dT%H:%M:%S%.6fZ"),
    )
}

fn elb(it: &Request) -> String {
    format!("{} {}", it.time("%Y-%m-%dT%H:%M:%S%.6fZ"), balanced(it))
}

fn s3(it: &Request) -> String {
    format!(
        r#"79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be {host} [{}] {} - 3E57427F33A59F07 REST.GET.OBJECT {} "GET {} HTTP/1.1" {} - {} 90000 70 10 "https://{host}/products" "{AGENT}" - s9lzHYrFp76ZVxRcpX9+5cjAnEH2ROuNkd2BHfIa6UkFVdtjf5mKR3/eTPFvsiP/XV/VLi31234= SigV4 ECDHE-RSA-AES128-GCM-SHA256 AuthHeader {host} TLSv1.2 - -"#,
        it.time("%d/%b/%Y:%H:%M:%S +0000"),
        it.client(),
        &it.path()[1..],
        it.path(),
        it.status,
        it.bytes,
        host = it.host,
    )
}

fn cloudfront(it: &Request) -> String {
    format!(
        "{}\tFRA56-P2\t{}\t{}\tGET\td111111abcdef8.cloudfront.net\t{}\t{}\thttps://{host}/products\t{}\t-\t-\tHit\tQ2xvdWRGcm9udC1yZXF1ZXN0LWlk\t{host}\thttps\t23\t0.001\t-\tTLSv1.3\tTLS_AES_128_GCM_SHA256\tHit\tHTTP/2.0\t-\t-\t41342\t0.001\tHit\timage/jpeg\t10900\t-\t-",
        it.time("%Y-%m-%d\t%H:%M:%S"),
        it.bytes,
        it.client(),
        it.path(),
        it.status,
        AGENT.replace(' ', "%20"),
        host = it.host,
    )
}

fn haproxy(it: &Request) -> String {
    format!(
        r#"Mar  5 14:30:15 lb1 haproxy[14389]: {}:41342 [{}] https-in~ static/srv1 10/0/30/69/109 {} {} - - ---- 1/1/1/1/0 0/0 {{{}|{AGENT}}} {{}} "GET {} HTTP/1.1""#,
        it.client(),
        it.time("%d/%b/%Y:%H:%M:%S%.3f"),
        it.status,
        it.bytes,
        it.host,
        it.path(),
    )
}

fn envoy(it: &Request) -> String {
    format!(
        r#"[{}] "GET {} HTTP/2" {} - 0 {} 226 100 "{}" "{AGENT}" "cc21d9b0-cf5c-432b-8c7e-98aeb7988cd2" "{}" "10.0.2.1:80""#,
        it.rfc3339(),
        it.path(),
        it.status,
        it.bytes,
        it.client(),
        it.host,
    )
}

fn ltsv(it: &Request) -> String {
    format!(
        "time:{}\thost:{}\tforwardedfor:-\treq:GET {} HTTP/1.1\tstatus:{}\tsize:{}\treferer:https://{}/products\tua:{AGENT}\treqtime:0.030\tcache:-\truntime:-\tvhost:{}",
        it.time("%d/%b/%Y:%H:%M:%S +0000"),
        it.client(),
        it.path(),
        it.status,
        it.bytes,
        it.host,
        it.host,
    )
}

fn w3c(it: &Request) -> String {
    format!(
        "{} 10.0.0.66 GET {} - 443 - {} {} https://{host}/products {host} {} 0 0 {} 12",
        it.time("%Y-%m-%d %H:%M:%S"),
        it.path(),
        it.client(),
        AGENT.replace(' ', "+"),
        it.status,
        it.bytes,
        host = it.host,
    )
}
