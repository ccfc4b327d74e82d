// A registry mirror may lack the binaries of other platforms. npm then omits them from the lock file and `npm ci`
// refuses it. This adds the missing optional packages by name and version, so that one lock file serves every platform.
// Run it after `npm install`. It also records in newest-browser.json the registry's newest browser.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

const platforms = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32']

const file = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8'))
let added = 0
for (const owner of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`
    if (lock.packages[place] !== undefined) continue
    const words = name.split(/[/-]/)
    const platform = platforms.find((candidate) => words.includes(candidate)) ?? 'none'
    const processor = processors.find((candidate) => words.includes(candidate)) ?? 'none'
    lock.packages[place] = {
      version,
      cpu: [processor],
      ...(owner.dev || owner === lock.packages[''] ? { dev: true } : {}),
      optional: true,
      os: [platform],
    }
    added += 1
  }
}
// Its archives alone are used; the Node.js that it wants is for its scripts, which are not.
const browser = '@sparticuz/chromium'
delete lock.packages[`node_modules/${browser}`].engines

lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
const text = `${JSON.stringify(lock, null, 2)}\n`
writeFileSync(file, text)
const newest = execFileSync('npm', ['view', browser, 'version'], { encoding: 'utf8' }).trim()
const record = { package: browser, newest, lock: createHash('sha256').update(text).digest('hex') }
writeFileSync(new URL('newest-browser.json', import.meta.url), `${JSON.stringify(record, null, 2)}\n`)
console.log(`${added} optional packages of other platforms added to package-lock.json`)
