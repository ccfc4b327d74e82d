// Makes the Debian package from what is built and installed, for the processor of this machine:
//
//   npm ci && npm run build && node scripts/debian-package.mjs [FOLDER]
//
// FOLDER is where the package goes, by default the current one. `--modules FOLDER` takes the installed packages from
// there instead of installing them. It needs `dpkg-deb` and, without `--modules`, npm and its registry.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './shipped-packages.mjs'

const architectures = { x64: 'amd64', arm64: 'arm64' }
const { values, positionals } = parseArgs({ allowPositionals: true, options: { modules: { type: 'string' } } })
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const architecture = architectures[process.arch]
if (architecture === undefined) throw new Error(`There are no packages of Latarnik for ${process.arch}.`)

const of = (...path) => join(root, 'deploy', ...path)
const stage = mkdtempSync(join(tmpdir(), 'latarnik-debian-'))
const npm = (args, cwd) => execFileSync('npm', args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 24 })

function put(source, target, mode = 0o644) {
  const path = join(stage, target)
  mkdirSync(dirname(path), { recursive: true })
  cpSync(source, path)
  chmodSync(path, mode)
}

/** The program as npm packs it, with the packages that it runs with. */
function putProgram() {
  const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', stage], root))
  const place = join(stage, 'opt/latarnik')
  mkdirSync(place, { recursive: true })
  execFileSync('tar', ['-xzf', join(stage, packed.filename), '--strip-components=1', '-C', place])
  rmSync(join(stage, packed.filename))
  if (values.modules !== undefined) {
    cpSync(values.modules, join(place, 'node_modules'), { recursive: true, verbatimSymlinks: true })
    return
  }
  for (const name of ['package-lock.json', '.npmrc']) cpSync(join(root, name), join(place, name))
  npm(['ci', '--omit=dev'], place)
  for (const name of ['package-lock.json', '.npmrc']) rmSync(join(place, name))
}

function putService() {
  for (const name of readdirSync(of('systemd')).filter((one) => one.endsWith('.service'))) {
    put(of('systemd', name), `usr/lib/systemd/system/${name}`)
  }
  put(of('systemd/latarnik.sysusers'), 'usr/lib/sysusers.d/latarnik.conf')
  put(of('debian/latarnik'), 'usr/bin/latarnik', 0o755)
  for (const name of ['latarnik.conf', 'sensor.conf']) put(of('debian', name), `etc/latarnik/${name}`, 0o640)
  put(join(root, 'LICENSE'), 'usr/share/doc/latarnik/copyright')
}

function putControl() {
  const kilobytes = execFileSync('du', ['-sk', '--apparent-size', stage]).toString().split('\t')[0]
  const control = readFileSync(of('debian/control'), 'utf8')
    .replace('@VERSION@', version)
    .replace('@ARCHITECTURE@', architecture)
    .replace('@KILOBYTES@', kilobytes)
  mkdirSync(join(stage, 'DEBIAN'))
  writeFileSync(join(stage, 'DEBIAN/control'), control)
  put(of('debian/conffiles'), 'DEBIAN/conffiles')
  for (const name of ['postinst', 'prerm', 'postrm']) put(of('debian', name), `DEBIAN/${name}`, 0o755)
}

try {
  chmodSync(stage, 0o755)
  putProgram()
  putService()
  putControl()
  const target = join(positionals[0] ?? '.', `latarnik_${version}_${architecture}.deb`)
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zzstd', '--build', stage, target], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  console.log(target)
} finally {
  rmSync(stage, { recursive: true })
}
