//! An application with a database on a node: MariaDB, PHP-FPM and nginx, each a program of its own.

use std::ffi::OsString;
use std::fs;
use std::net::{SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hotset_machine::process::{Launch, Process};
use hotset_machine::{Deployment, Need, OnFile};

use super::Place;
use crate::LabError;

/// Where in an application's folder its database listens.
const DATABASE_SOCKET: &str = "run/mariadb.sock";
/// Where its temporary tables lie: at its start, a server removes those that it finds, be they of another.
const TEMPORARY: &str = "run/temporary";
/// What the configuration of nginx has in place of where it listens.
const PORT_MARK: &str = "@PORT@";
/// Where Debian has programs of servers.
const PROGRAMS: &str = "/usr/sbin";
/// How a program of PHP-FPM begins, before its version.
const PHP_FPM: &str = "php-fpm";
/// A database that was not shut down looks through its log first.
const START_PATIENCE: Duration = Duration::from_secs(120);
/// One that is shut down writes back what is dirty.
const STOP_PATIENCE: Duration = Duration::from_secs(60);
const CONNECT_TIMEOUT: Duration = Duration::from_millis(200);

/// A database's folder as `hotset generate` writes it, with the data that its `prepare.sh` makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    /// The folder, whose path is short enough for sockets in it.
    pub folder: PathBuf,
    /// Options of MariaDB beside its configuration, as on its command line.
    pub database_options: Vec<String>,
}

/// An application that answers.
#[derive(Debug)]
pub struct RunningApplication {
    /// Where its nginx listens.
    pub address: SocketAddr,
    /// The socket that its database listens on.
    pub database_socket: PathBuf,
    /// nginx.
    pub web: Process,
    /// PHP-FPM.
    pub scripts: Process,
    /// MariaDB.
    pub database: Process,
}

impl RunningApplication {
    /// Its tiers by their names, the one that is asked first.
    pub fn tiers(&self) -> [(&'static str, &Process); 3] {
        [
            ("web", &self.web),
            ("scripts", &self.scripts),
            ("database", &self.database),
        ]
    }

    /// Ends it, the database last and in order.
    ///
    /// # Errors
    /// When one of its programs cannot be killed.
    pub fn stop(self) -> Result<(), LabError> {
        for (_, process) in self.tiers() {
            process.stop(STOP_PATIENCE)?;
        }
        Ok(())
    }
}

/// Programs that applications are made of, and their packages.
pub fn application_needs() -> Vec<Need> {
    [
        ("mariadbd", "mariadb-server"),
        ("mariadb-install-db", "mariadb-server"),
        ("mariadb", "mariadb-client"),
        ("nginx", "nginx-light"),
    ]
    .map(|(program, package)| Need::program(program, package))
    .to_vec()
}

/// Starts an application under a name that is unique in the deployment, and waits until it answers.
///
/// # Errors
/// When PHP-FPM is missing or one of its programs does not come up; with the end of its log.
pub fn start_application(
    deployment: &Arc<Deployment>,
    name: &str,
    application: &Application,
    place: Place<'_>,
) -> Result<RunningApplication, LabError> {
    let folder = &application.folder;
    let sockets = folder.join("run");
    fs::create_dir_all(&sockets).on("make", &sockets)?;
    let address = SocketAddr::from((place.namespace.address(), place.port));
    let tier = Tiers {
        deployment,
        name,
        folder,
        place,
    };
    Ok(RunningApplication {
        database: tier.database(&application.database_options)?,
        scripts: tier.scripts()?,
        web: tier.web(address)?,
        database_socket: folder.join(DATABASE_SOCKET),
        address,
    })
}

/// The programs of an application, each started by itself.
struct Tiers<'a> {
    deployment: &'a Arc<Deployment>,
    name: &'a str,
    folder: &'a Path,
    place: Place<'a>,
}

impl Tiers<'_> {
    fn database(&self, options: &[String]) -> Result<Process, LabError> {
        let socket = self.folder.join(DATABASE_SOCKET);
        let temporary = self.folder.join(TEMPORARY);
        fs::create_dir_all(&temporary).on("make", &temporary)?;
        let mut arguments = vec![
            self.option("--defaults-file=", "conf/mariadb.cnf"),
            self.option("--datadir=", "data"),
            self.option("--socket=", DATABASE_SOCKET),
            self.option("--pid-file=", "run/mariadb.pid"),
            self.option("--tmpdir=", TEMPORARY),
            "--user=root".into(),
        ];
        arguments.extend(options.iter().map(OsString::from));
        let database = self.start("database", "mariadbd".into(), arguments)?;
        database.wait_until(START_PATIENCE, || UnixStream::connect(&socket).is_ok())?;
        Ok(database)
    }

    fn scripts(&self) -> Result<Process, LabError> {
        let socket = self.folder.join("run/php.sock");
        let arguments = vec![
            "--allow-to-run-as-root".into(),
            "--nodaemonize".into(),
            "--prefix".into(),
            self.folder.as_os_str().to_owned(),
            "--fpm-config".into(),
            self.folder.join("conf/php-fpm.conf").into_os_string(),
        ];
        let scripts = self.start("scripts", php_fpm()?, arguments)?;
        scripts.wait_until(START_PATIENCE, || UnixStream::connect(&socket).is_ok())?;
        Ok(scripts)
    }

    fn web(&self, address: SocketAddr) -> Result<Process, LabError> {
        let template = self.folder.join("conf/nginx.conf");
        let text = fs::read_to_string(&template).on("read", &template)?;
        let path = self.folder.join("run/nginx.conf");
        let text = text.replace(PORT_MARK, &address.to_string());
        fs::write(&path, text).on("write", &path)?;
        let arguments = vec![
            "-p".into(),
            self.folder.as_os_str().to_owned(),
            "-e".into(),
            "run/nginx.log".into(),
            "-c".into(),
            "run/nginx.conf".into(),
            "-g".into(),
            "daemon off;".into(),
        ];
        let web = self.start("web", "nginx".into(), arguments)?;
        web.wait_until(START_PATIENCE, || {
            TcpStream::connect_timeout(&address, CONNECT_TIMEOUT).is_ok()
        })?;
        Ok(web)
    }

    /// An option whose value is a path below the folder.
    fn option(&self, name: &str, path: &str) -> OsString {
        let mut option = OsString::from(name);
        option.push(self.folder.join(path));
        option
    }

    /// Starts a program in the folder, which paths of its configuration begin at.
    fn start(
        &self,
        tier: &str,
        program: OsString,
        arguments: Vec<OsString>,
    ) -> Result<Process, LabError> {
        let process = Launch::new(format!("{}-{tier}", self.name), program)
            .arguments(arguments)
            .directory(self.folder)
            .in_network(self.place.namespace.name())
            .in_group(self.place.group)
            .start(self.deployment)?;
        Ok(process)
    }
}

/// The program of PHP-FPM, whose name ends with its version.
fn php_fpm() -> Result<OsString, LabError> {
    let programs = fs::read_dir(PROGRAMS).on("read", Path::new(PROGRAMS))?;
    let names = programs.flatten().map(|entry| entry.path());
    let is_fpm = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with(PHP_FPM))
    };
    let missing = || {
        LabError::Unusable(format!(
            "there is no {PROGRAMS}/{PHP_FPM}; install php-fpm and php-mysql"
        ))
    };
    names
        .filter(is_fpm)
        .max()
        .map(PathBuf::into_os_string)
        .ok_or_else(missing)
}
