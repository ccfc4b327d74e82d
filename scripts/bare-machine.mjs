// Runs the README's commands on a bare machine: a small Debian root with this machine's Node.js and nothing else, as
// root and as a plain user.
//
//   node scripts/bare-machine.mjs [--root DIRECTORY] [--only root|plain] [--quick] [TEST FILES...]
//
// --root keeps the root there and uses it again, --quick leaves `npm test` out. It needs root and `debootstrap`;
// BARE_MIRROR names another mirror of Debian. The way of npm to its registry is copied from here: its variables, its
// files, and the certificates that they name.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const source = fileURLToPath(new URL('..', import.meta.url))
const { values: flags, positionals: testFiles } = parseArgs({
  allowPositionals: true,
  options: { root: { type: 'string' }, only: { type: 'string' }, quick: { type: 'boolean', default: false } },
})

/** The equipment that a bare machine lacks, by its programs. */
const missingPrograms = ['ping', 'ps', 'nats-server', 'fc-list', 'git', 'curl', 'ip']
const plainUser = { name: 'stranger', id: 1000, home: '/home/stranger' }
const users = {
  root: { home: '/root', through: [] },
  plain: {
    home: plainUser.home,
    through: [
      ...['setpriv', `--reuid=${plainUser.id}`, `--regid=${plainUser.id}`, '--clear-groups', '--no-new-privs'],
      ...['--inh-caps=-all', '--bounding-set=-all', '--'],
    ],
  },
}

function giveUp(sentence) {
  process.stderr.write(`bare-machine: ${sentence}\n`)
  process.exit(2)
}

function run(file, ...args) {
  execFileSync(file, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

function isThere(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
}

/** The distribution of this machine where it is Debian: its libraries fit this machine's Node.js. */
function suite() {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  const codename = /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1]
  return /^ID=debian$/m.test(release) && codename !== undefined ? codename : 'bookworm'
}

function makeRoot(root) {
  if (existsSync(join(root, 'etc/debian_version'))) return
  const mirror = process.env.BARE_MIRROR === undefined ? [] : [process.env.BARE_MIRROR]
  run('debootstrap', '--variant=minbase', suite(), root, ...mirror)
}

function installNode(root) {
  const local = join(root, 'usr/local')
  cpSync(realpathSync(process.execPath), join(local, 'bin/node'))
  // `bin/npm` is a link into its package.
  const npm = dirname(dirname(realpathSync(execFileSync('sh', ['-c', 'command -v npm']).toString().trim())))
  rmSync(join(local, 'lib/node_modules/npm'), { recursive: true, force: true })
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true, verbatimSymlinks: true })
  run('ln', '-sf', '../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
}

function copyInto(root, path, to = path) {
  const target = join(root, to)
  mkdirSync(dirname(target), { recursive: true })
  cpSync(path, target, { dereference: true })
}

/** Variables, as `NAME=VALUE`, and files by which npm reaches its registry from here. */
function npmSettings(root) {
  const settings = JSON.parse(execFileSync('npm', ['config', 'ls', '-l', '--json']).toString())
  const named = Object.entries(process.env).filter(([name]) =>
    /^(npm_config_(?!user_agent|local_prefix|prefix|node_gyp|noproxy$|globalconfig|userconfig|cache|init_module|global_prefix)|(https?|no)_proxy$|NODE_EXTRA_CA_CERTS$|SSL_CERT_FILE$)/i.test(
      name,
    ),
  )
  const certificates = [settings.cafile, process.env.NODE_EXTRA_CA_CERTS, process.env.SSL_CERT_FILE]
  for (const path of certificates) if (path && existsSync(path)) copyInto(root, path)
  for (const [path, to] of [
    [settings.userconfig, '/root/.npmrc'],
    [settings.userconfig, `${plainUser.home}/.npmrc`],
    [settings.globalconfig, '/usr/local/etc/npmrc'],
  ])
    if (path && existsSync(path)) copyInto(root, path, to)
  return named.map(([name, value]) => `${name}=${value}`)
}

function makePlainUser(root) {
  const { name, id, home } = plainUser
  const passwd = join(root, 'etc/passwd')
  const entries = readFileSync(passwd, 'utf8')
  if (!entries.includes(`${name}:`)) writeFileSync(passwd, `${entries}${name}:x:${id}:${id}::${home}:/bin/sh\n`)
  mkdirSync(join(root, home), { recursive: true })
}

/** Copies the files that a clone of this working tree would have. */
function copySource(root, { home }) {
  const target = join(root, home, 'latarnik')
  rmSync(target, { recursive: true, force: true })
  const files = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], { cwd: source, maxBuffer: 2 ** 26 })
  for (const name of files.toString().split('\0')) {
    if (name === '' || !existsSync(join(source, name))) continue
    mkdirSync(dirname(join(target, name)), { recursive: true })
    cpSync(join(source, name), join(target, name))
  }
}

/**
 * Gives the following command devices and a `/dev/shm` of 64 MB, as in containers. It avoids `chroot`, inside which
 * nobody may make a user namespace; root's bundled database needs one.
 */
const mounting = `
set -e
root=$1; shift
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=0755 tmpfs "$root/dev"
for name in null zero full random urandom tty; do : > "$root/dev/$name"; mount --bind "/dev/$name" "$root/dev/$name"; done
ln -s /proc/self/fd "$root/dev/fd"
mkdir "$root/dev/shm"
mount -t tmpfs -o size=64m,mode=1777 tmpfs "$root/dev/shm"
cd "$root"
pivot_root . mnt
cd /
umount -l /mnt
exec "$@"`

const starting = `
npm start > start.log 2>&1 &
npm=$!
for second in $(seq 180); do
  grep -q 'is ready after' start.log && break
  kill -0 $npm || { cat start.log; exit 1; }
  sleep 1
done
kill $npm
wait $npm || { echo "npm start ended with $?"; cat start.log; exit 1; }
grep -q 'stopped after' start.log || { cat start.log; exit 1; }`

/** Returns whether the command succeeded there. */
function runThere(root, { home, through }, variables, command) {
  const own = [
    `HOME=${home}`,
    'PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    'LC_ALL=C',
    'TZ=Pacific/Chatham',
    'PORT=0',
  ]
  const inside = [
    ...through,
    'env',
    '-i',
    ...own,
    ...variables,
    'sh',
    '-c',
    `cd ${home}/latarnik || exit 1\n${command}`,
  ]
  const apart = ['--mount', '--propagation', 'private', '--pid', '--fork', '--kill-child']
  const startedAt = performance.now()
  const { status } = spawnSync('unshare', [...apart, 'sh', '-c', mounting, 'sh', root, ...inside], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return { isRight: status === 0, seconds: Math.round((performance.now() - startedAt) / 1000) }
}

function commands() {
  const bare = `for name in ${missingPrograms.join(' ')}; do ! command -v $name || exit 1; done; test ! -e /usr/share/fonts`
  return [
    ['it is bare', bare],
    ['npm ci', 'npm ci'],
    ['npm start, and its end', starting],
    ['npm run verify', 'npm run verify'],
    ...(flags.quick ? [] : [['npm test', `npm test -- ${testFiles.join(' ')}`]]),
  ]
}

function tryAs(root, name, variables) {
  const user = users[name]
  copySource(root, user)
  if (name === 'plain') run('chown', '-R', `${plainUser.id}:${plainUser.id}`, join(root, plainUser.home))
  const outcomes = []
  for (const [what, command] of commands()) {
    process.stdout.write(`\n── ${name}: ${what} ──\n`)
    outcomes.push({ what: `${name}: ${what}`, ...runThere(root, user, variables, command) })
  }
  return outcomes
}

if (userInfo().uid !== 0) giveUp('only root can make another root: run it with sudo, or in a container of root.')
for (const program of ['debootstrap', 'unshare', 'setpriv', 'git'])
  if (!isThere(program)) giveUp(`there is no ${program} on this machine.`)
const root = flags.root ?? mkdtempSync(join(tmpdir(), 'latarnik-bare-'))
let outcomes = []
try {
  makeRoot(root)
  installNode(root)
  makePlainUser(root)
  copyInto(root, '/etc/resolv.conf')
  const variables = npmSettings(root)
  const names = flags.only === undefined ? Object.keys(users) : [flags.only]
  outcomes = names.flatMap((name) => tryAs(root, name, variables))
} finally {
  if (flags.root === undefined) rmSync(root, { recursive: true, force: true })
}
process.stdout.write('\n')
for (const { what, isRight, seconds } of outcomes)
  process.stdout.write(`${isRight ? 'right' : 'WRONG'}  ${what} (${seconds} s)\n`)
process.exitCode = outcomes.every(({ isRight }) => isRight) ? 0 : 1
