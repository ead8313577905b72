/** Logs of seven made systems, in the shapes that logs have, from templates that are known. */
import { between, chance, pick } from "./chance.ts";

export interface LogSystem {
  system: string;
  /** What stands before the message. */
  head: (next: () => number, second: number, template: number) => string;
  /** With `{…}` for what varies. */
  templates: readonly string[];
}

export interface MadeLog {
  system: string;
  templates: number;
  lines: { line: string; template: number }[];
}

const LINES = 2_000;
const USERS = ["root", "anna", "backup", "svc-mail", "j.okafor", "postgres", "guest7", "deploy"];
const HOSTS = ["quay-01", "pump-gw", "db2.harbour.local", "node17", "cache-b", "edge-fra-3"];
const NAMES = ["orders", "turbine", "invoice_lines", "berths", "crane", "audit", "sessions", "weather"];
const FILES = ["report.pdf", "config.yaml", "index.html", "tide-2026.csv", "manifest.json", "core.4711"];
const hex = (next: () => number, digits: number) => Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join("");
const two = (value: number) => String(value).padStart(2, "0");

/** What may stand for a placeholder. */
const VALUES: Record<string, (next: () => number) => string> = {
  int: (next) => String(between(next, 0, 10 ** between(next, 1, 6))),
  small: (next) => String(between(next, 0, 16)),
  float: (next) => (next() * 100).toFixed(2),
  ip: (next) => [10, between(next, 0, 255), between(next, 0, 255), between(next, 1, 254)].join("."),
  port: (next) => String(between(next, 1_024, 65_535)),
  user: (next) => pick(next, USERS),
  host: (next) => pick(next, HOSTS),
  name: (next) => pick(next, NAMES),
  file: (next) => pick(next, FILES),
  path: (next) => `/${pick(next, ["var", "srv", "home", "opt"])}/${pick(next, NAMES)}/${pick(next, FILES)}`,
  url: (next) => `https://${pick(next, HOSTS)}/${pick(next, NAMES)}?id=${between(next, 1, 9_999)}`,
  hex: (next) => hex(next, 12),
  ptr: (next) => `0x${hex(next, 8)}`,
  uuid: (next) => [8, 4, 4, 4, 12].map((digits) => hex(next, digits)).join("-"),
  mac: (next) => Array.from({ length: 6 }, () => hex(next, 2)).join(":"),
  block: (next) => `blk_${next() < 0.3 ? "-" : ""}${between(next, 10 ** 9, 10 ** 12)}`,
  // What no tree by the number of words can hold together.
  list: (next) => Array.from({ length: between(next, 1, 4) }, () => pick(next, NAMES)).join(" "),
};

function filled(template: string, next: () => number): string {
  return template.replace(/\{(\w+)\}/g, (_, kind: string) => (VALUES[kind] as (next: () => number) => string)(next));
}

function clock(second: number): { date: string; time: string; day: number } {
  const of = new Date(Date.UTC(2026, 2, 1) + second * 1_000).toISOString();
  return { date: of.slice(0, 10), time: of.slice(11, 19), day: Number(of.slice(8, 10)) };
}

/** Some templates are seen all the time and some once in a while, as in real logs. */
export function madeLog({ system, head, templates }: LogSystem, number: number): MadeLog {
  const next = chance(7_000 + number);
  const weights = templates.map((_, at) => 1 / (1 + ((at * 7) % templates.length)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const drawn = () => {
    let left = next() * total;
    return Math.max(
      0,
      weights.findIndex((weight) => {
        left -= weight;
        return left < 0;
      }),
    );
  };
  let second = 0;
  const lines = Array.from({ length: LINES }, (_, at) => {
    second += between(next, 0, 40);
    // Every template occurs.
    const template = at < templates.length ? at : drawn();
    return { line: `${head(next, second, template)}${filled(templates[template] ?? "", next)}`, template };
  });
  return { system, templates: templates.length, lines };
}

const syslog = (program: string) => (next: () => number, second: number) => {
  const { day, time } = clock(second);
  return `Mar ${String(day).padStart(2, " ")} ${time} quay-01 ${program}[${between(next, 100, 32_000)}]: `;
};

/** What is the same in each line of a template. */
function fixed<T>(template: number, items: readonly T[]): T {
  return items[template % items.length] as T;
}

const java = (next: () => number, second: number, template: number) => {
  const { date, time } = clock(second);
  const where = pick(next, ["main", "worker-1", "worker-2", "http-8080-exec-5"]);
  return `${date} ${time},${String(between(next, 0, 999)).padStart(3, "0")} ${fixed(template, ["INFO ", "WARN ", "ERROR"])} [${where}] `;
};

export const LOG_SYSTEMS: readonly LogSystem[] = [
  {
    system: "sshd",
    head: syslog("sshd"),
    templates: [
      "Accepted password for {user} from {ip} port {port} ssh2",
      "Accepted publickey for {user} from {ip} port {port} ssh2: RSA SHA256:{hex}",
      "Failed password for {user} from {ip} port {port} ssh2",
      "Failed password for invalid user {user} from {ip} port {port} ssh2",
      "Invalid user {user} from {ip}",
      "input_userauth_request: invalid user {user} [preauth]",
      "Connection closed by {ip} [preauth]",
      "Connection reset by {ip} port {port} [preauth]",
      "Received disconnect from {ip}: 11: Bye Bye [preauth]",
      "Disconnected from user {user} {ip} port {port}",
      "pam_unix(sshd:session): session opened for user {user} by (uid=0)",
      "pam_unix(sshd:session): session closed for user {user}",
      "pam_unix(sshd:auth): authentication failure; logname= uid=0 euid=0 tty=ssh ruser= rhost={ip} user={user}",
      "pam_unix(sshd:auth): check pass; user unknown",
      "PAM {small} more authentication failures; logname= uid=0 euid=0 tty=ssh ruser= rhost={ip}",
      "reverse mapping checking getaddrinfo for {host} [{ip}] failed - POSSIBLE BREAK-IN ATTEMPT!",
      "Did not receive identification string from {ip}",
      "error: maximum authentication attempts exceeded for {user} from {ip} port {port} ssh2 [preauth]",
      "fatal: Read from socket failed: Connection reset by peer [preauth]",
      "Server listening on {ip} port {port}.",
      "Received signal 15; terminating.",
      "subsystem request for sftp by user {user}",
    ],
  },
  {
    system: "kernel",
    head: (next, second) => {
      const { day, time } = clock(second);
      return `Mar ${String(day).padStart(2, " ")} ${time} ${pick(next, ["node17", "node18"])} kernel: [${(second + next()).toFixed(6)}] `;
    },
    templates: [
      "usb {small}-{small}: new high-speed USB device number {small} using xhci_hcd",
      "usb {small}-{small}: USB disconnect, device number {small}",
      "usb {small}-{small}: Product: {name}",
      "eth0: link up, 1000 Mbps, full-duplex, lpa {ptr}",
      "eth0: link down",
      "EXT4-fs (sda{small}): mounted filesystem with ordered data mode. Opts: (null)",
      "EXT4-fs error (device sda{small}): ext4_find_entry:{int}: inode #{int}: comm {name}: reading directory lblock {small}",
      "Out of memory: Kill process {int} ({name}) score {int} or sacrifice child",
      "Killed process {int} ({name}) total-vm:{int}kB, anon-rss:{int}kB, file-rss:{int}kB",
      "TCP: request_sock_TCP: Possible SYN flooding on port {port}. Sending cookies. Check SNMP counters.",
      "CPU{small}: Core temperature above threshold, cpu clock throttled (total events = {int})",
      "CPU{small}: Core temperature/speed normal",
      'audit: type=1400 audit({float}:{int}): apparmor="DENIED" operation="open" name="{path}" pid={int}',
      "nf_conntrack: table full, dropping packet",
      "{name}[{int}]: segfault at {ptr} ip {ptr} sp {ptr} error {small} in libc.so[{ptr}+1000]",
      "device {name} entered promiscuous mode",
      "device {name} left promiscuous mode",
      "sd {small}:0:0:0: [sdb] Attached SCSI disk",
      "sd {small}:0:0:0: [sdb] {int} 512-byte logical blocks: ({float} GB/{float} GiB)",
      "INFO: task {name}:{int} blocked for more than 120 seconds.",
      "perf: interrupt took too long ({int} > {int}), lowering kernel.perf_event_max_sample_rate to {int}",
      "BTRFS warning (device sdc): csum failed root {small} ino {int} off {int} csum {ptr} expected csum {ptr}",
    ],
  },
  {
    system: "hdfs",
    head: (next, second, template) => {
      const { date, time } = clock(second);
      return `${date.slice(2).replaceAll("-", "")} ${time.replaceAll(":", "")} ${between(next, 10, 999)} INFO dfs.${fixed(template, ["DataNode$PacketResponder", "FSNamesystem", "DataNode$DataXceiver"])}: `;
    },
    templates: [
      "Receiving block {block} src: /{ip}:{port} dest: /{ip}:{port}",
      "Received block {block} of size {int} from /{ip}",
      "PacketResponder {small} for block {block} terminating",
      "BLOCK* NameSystem.addStoredBlock: blockMap updated: {ip}:{port} is added to {block} size {int}",
      "BLOCK* NameSystem.allocateBlock: {path}. {block}",
      "BLOCK* NameSystem.delete: {block} is added to invalidSet of {ip}:{port}",
      "BLOCK* ask {ip}:{port} to replicate {block} to datanode(s) {ip}:{port}",
      "Verification succeeded for {block}",
      "Deleting block {block} file {path}",
      "{ip}:{port} Served block {block} to /{ip}",
      "{ip}:{port}:Got exception while serving {block} to /{ip}:",
      "writeBlock {block} received exception java.io.IOException: Connection reset by peer",
      "Exception in receiveBlock for block {block} java.io.EOFException",
      "{ip}:{port} Starting thread to transfer block {block} to {ip}:{port}",
      "{ip}:{port}:Transmitted block {block} to /{ip}:{port}",
      "Changing block file offset of block {block} from {int} to {int} meta file offset to {int}",
      "Adding an already existing block {block}",
      "Unexpected error trying to delete block {block}. BlockInfo not found in volumeMap.",
      "BLOCK* Removing block {block} from neededReplications as it does not belong to any file.",
      "Reopen Block {block}",
      "PendingReplicationMonitor timed out block {block}",
    ],
  },
  {
    system: "nginx",
    head: (next, second, template) => {
      const { date, time } = clock(second);
      return `${date.replaceAll("-", "/")} ${time} [${fixed(template, ["error", "warn", "notice"])}] ${between(next, 100, 999)}#${between(next, 100, 999)}: `;
    },
    templates: [
      '*{int} open() "{path}" failed (2: No such file or directory), client: {ip}, server: {host}, request: "GET /{file} HTTP/1.1"',
      '*{int} connect() failed (111: Connection refused) while connecting to upstream, client: {ip}, server: {host}, upstream: "{url}"',
      "*{int} upstream timed out (110: Connection timed out) while reading response header from upstream, client: {ip}, server: {host}",
      "*{int} upstream prematurely closed connection while reading response header from upstream, client: {ip}, server: {host}",
      "*{int} client intended to send too large body: {int} bytes, client: {ip}, server: {host}",
      '*{int} access forbidden by rule, client: {ip}, server: {host}, request: "GET /{name} HTTP/1.1"',
      '*{int} limiting requests, excess: {float} by zone "{name}", client: {ip}, server: {host}',
      '*{int} limiting connections by zone "{name}", client: {ip}, server: {host}',
      "*{int} SSL_do_handshake() failed (SSL: error:{hex}:SSL routines) while SSL handshaking, client: {ip}, server: {ip}:{port}",
      "*{int} a client request body is buffered to a temporary file {path}, client: {ip}, server: {host}",
      "*{int} an upstream response is buffered to a temporary file {path} while reading upstream, client: {ip}, server: {host}",
      '*{int} directory index of "{path}" is forbidden, client: {ip}, server: {host}',
      "*{int} no live upstreams while connecting to upstream, client: {ip}, server: {host}",
      "*{int} recv() failed (104: Connection reset by peer) while proxying upgraded connection, client: {ip}, server: {host}",
      "signal process started",
      "worker process {int} exited with code {small}",
      "worker process {int} exited on signal {small}",
      "start worker process {int}",
      'conflicting server name "{host}" on {ip}:{port}, ignored',
      "could not build optimal types_hash, you should increase either types_hash_max_size: {int} or types_hash_bucket_size: {int}; ignoring types_hash_bucket_size",
      "gracefully shutting down",
      "reconfiguring",
    ],
  },
  {
    system: "orders",
    head: (next, second, template) =>
      `${java(next, second, template)}com.harbour.${fixed(template, ["OrderService", "PaymentClient", "StockCache"])} - `,
    templates: [
      "Order {int} created for customer {user} with {small} items",
      "Order {int} cancelled by {user}",
      "Order {int} shipped to {host} in {small} parcels",
      "Payment of {float} EUR for order {int} accepted by gateway in {int} ms",
      "Payment for order {int} declined: insufficient funds",
      "Payment for order {int} declined: card expired",
      "Retrying request to {url} (attempt {small} of 5)",
      "Request to {url} failed after {int} ms: connection timed out",
      "Cache miss for key {name}:{int}",
      "Cache hit for key {name}:{int}",
      "Evicted {int} entries from cache {name}",
      "Loaded {int} rows from table {name} in {int} ms",
      "Slow query on table {name}: {int} ms",
      "Deadlock found when trying to lock table {name}; transaction rolled back",
      "User {user} logged in from {ip}",
      "User {user} logged out",
      "Session {uuid} expired after {int} minutes",
      "Scheduled task {name} started",
      "Scheduled task {name} finished in {float} s",
      "Scheduled task {name} skipped because the previous run has not ended",
      "Active feature flags: {list}",
      "Could not parse message {uuid} from queue {name}: unexpected end of input",
      "Published event {name} to topic {name} partition {small} offset {int}",
      "Circuit breaker for {host} is now OPEN",
      "Circuit breaker for {host} is now CLOSED",
    ],
  },
  {
    system: "postgres",
    head: (next, second) => {
      const { date, time } = clock(second);
      return `${date} ${time}.${String(between(next, 0, 999)).padStart(3, "0")} UTC [${between(next, 100, 30_000)}] ${pick(next, USERS)}@${pick(next, NAMES)} LOG:  `;
    },
    templates: [
      "connection received: host={ip} port={port}",
      "connection authorized: user={user} database={name} SSL enabled",
      "disconnection: session time: 0:{small}:{float} user={user} database={name} host={ip} port={port}",
      "duration: {float} ms  statement: SELECT * FROM {name} WHERE id = {int}",
      "duration: {float} ms  statement: UPDATE {name} SET state = {int} WHERE id = {int}",
      "duration: {float} ms  statement: DELETE FROM {name} WHERE id < {int}",
      "checkpoint starting: time",
      "checkpoint starting: xlog",
      "checkpoint complete: wrote {int} buffers ({float}%); {small} WAL file(s) added, {small} removed, {small} recycled",
      'automatic vacuum of table "{name}.public.{name}": index scans: {small}',
      'automatic analyze of table "{name}.public.{name}" system usage: CPU {float} s, elapsed {float} s',
      "could not receive data from client: Connection reset by peer",
      "unexpected EOF on client connection with an open transaction",
      "process {int} still waiting for ShareLock on transaction {int} after {float} ms",
      "process {int} acquired ShareLock on transaction {int} after {float} ms",
      'temporary file: path "{path}", size {int}',
      "database system was shut down at 2026-03-01 00:00:00 UTC",
      "database system is ready to accept connections",
      "received fast shutdown request",
      'parameter "{name}" changed to "{int}"',
      'restored log file "{hex}" from archive',
      "replication terminated by primary server",
      "started streaming WAL from primary at {small}/{hex} on timeline {small}",
    ],
  },
  {
    system: "kubelet",
    head: (next, second, template) => {
      const { time } = clock(second);
      return `${fixed(template, ["I", "W", "E"])}03${two(between(next, 1, 28))} ${time}.${String(between(next, 0, 999_999)).padStart(6, "0")} ${between(next, 100, 9_999)} kubelet.go:${100 + 37 * template}] `;
    },
    templates: [
      'SyncLoop (ADD, "api"): "{name}-{hex}_default({uuid})"',
      'SyncLoop (DELETE, "api"): "{name}-{hex}_default({uuid})"',
      'SyncLoop (PLEG): "{name}-{hex}_default({uuid})", event: ContainerStarted {hex}',
      'SyncLoop (PLEG): "{name}-{hex}_default({uuid})", event: ContainerDied {hex}',
      'Liveness probe for "{name}-{hex}_default({uuid}):{name}" failed (failure): HTTP probe failed with statuscode: {int}',
      'Readiness probe for "{name}-{hex}_default({uuid}):{name}" failed (failure): dial tcp {ip}:{port}: connect: connection refused',
      "Back-off {small}m0s restarting failed container={name} pod={name}-{hex}_default({uuid})",
      'Pulling image "{host}/{name}:{small}.{small}"',
      'Successfully pulled image "{host}/{name}:{small}.{small}" in {float}s',
      'Failed to pull image "{host}/{name}:{small}.{small}": rpc error: code = Unknown desc = not found',
      "Node {host} status is now: NodeHasSufficientMemory",
      "Node {host} status is now: NodeHasDiskPressure",
      "Attempting to reclaim ephemeral-storage",
      "must evict pod(s) to reclaim memory",
      "evicting pod {name}-{hex}_default({uuid}) to reclaim memory",
      'operationExecutor.MountVolume started for volume "{name}" pod "{name}-{hex}"',
      'operationExecutor.UnmountVolume started for volume "{name}" pod "{name}-{hex}"',
      'MountVolume.SetUp succeeded for volume "{name}" pod "{name}-{hex}"',
      'Unable to attach or mount volumes for pod "{name}-{hex}_default({uuid})": timed out waiting for the condition; unmounted volumes: {list}',
      "Container {name} in pod {name}-{hex} was OOMKilled, restart count {small}",
      "certificate rotation detected, shutting down client connections to start using new credentials",
      "Setting node annotation to enable volume controller attach/detach",
    ],
  },
];
