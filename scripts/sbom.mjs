// Prints the bill of materials of what is shipped, as CycloneDX:
//
//   node scripts/sbom.mjs > sbom.cdx.json
//
// npm makes it from the lock file. npm itself would leave out the packages that are bundled into the console, because
// they are only installed for the build.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, shippedPackages } from './shipped-packages.mjs'

const flags = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only']
const whole = JSON.parse(execFileSync('npm', ['sbom', ...flags], { cwd: root, maxBuffer: 2 ** 26 }).toString())
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const program = `${name}@${version}`
const packages = new Map(shippedPackages().map((one) => [`${one.name}@${one.version}`, one]))

function componentOf({ properties, ...component }) {
  const { licence, inConsole, isOptional } = packages.get(component['bom-ref'])
  return {
    ...component,
    scope: isOptional ? 'optional' : 'required',
    licenses: [{ license: { id: licence } }],
    ...(inConsole ? { properties: [{ name: 'latarnik:place', value: 'dist/console' }] } : {}),
  }
}

const components = whole.components.filter((one) => packages.has(one['bom-ref'])).map(componentOf)
const dependencies = whole.dependencies
  .filter(({ ref }) => ref === program || packages.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => packages.has(one)) }))
// npm names it by its folder.
const component = { ...whole.metadata.component, name }
const bill = { ...whole, metadata: { ...whole.metadata, component }, components, dependencies }
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`)
