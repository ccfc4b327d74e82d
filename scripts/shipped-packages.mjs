// The packages of others that reach users: installed beside the program, or bundled into the console.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** Licences that anyone may use with a program under Apache-2.0, unmodified and with their notices. */
const allowed = [
  ...['0BSD', 'Apache-2.0', 'Bitstream-Vera', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC'],
  ...['MIT', 'MIT-0', 'MPL-2.0', 'Unlicense'],
]
/** Names that package.json gives in words of its own. */
const namedOtherwise = { 'dejavu-fonts-ttf': 'Bitstream-Vera' }
/** An import for types alone leaves nothing in a bundle. */
const importedName =
  /^\s*(?:import|export)\s(?!type\b)[^'"`;()]*?\bfrom\s+'([^']+)'|^\s*import\s+'([^']+)'|\bimport\(\s*'([^']+)'/gm
const consoleEntries = ['web/main.tsx', 'web/push/push-worker.ts']

function lockedPackages() {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
}

function importsOf(file) {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(importedName)].map((found) => found[1] ?? found[2] ?? found[3])
}

/** The packages that the console's sources import; some of these sources are in src/. */
function importsOfConsole() {
  const [files, names] = [new Set(consoleEntries), new Set()]
  for (const file of files)
    for (const name of importsOf(file)) {
      const path = posix.join(posix.dirname(file), name)
      if (!name.startsWith('.')) names.add(/^(@[^/]+\/)?[^/]+/.exec(name)[0])
      else if (/\.tsx?$/.test(path)) files.add(path)
    }
  return names
}

/** Those packages with their own. */
function bundledNames(packages) {
  const found = new Set()
  const waiting = [...importsOfConsole()].filter((name) => packages[`node_modules/${name}`] !== undefined)
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue
    found.add(name)
    waiting.push(...Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {}))
  }
  return found
}

/** Every package that is shipped, by name and version, with its place in node_modules and its licence. */
export function shippedPackages(packages = lockedPackages()) {
  const bundled = bundledNames(packages)
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version, license, dev, optional }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      const inConsole = path === `node_modules/${name}` && bundled.has(name)
      const licence = namedOtherwise[name] ?? license
      return { path, name, version, licence, inConsole, isInstalled: dev !== true, isOptional: optional === true }
    })
    .filter(({ inConsole, isInstalled }) => inConsole || isInstalled)
    .sort((one, other) => (`${one.name}@${one.version}` < `${other.name}@${other.version}` ? -1 : 1))
}

/** A sentence for each package whose licence is missing or not allowed; of `A OR B` one is enough. */
export function licenceFaults(packages) {
  return packages
    .filter(({ licence }) => !isAllowed(licence))
    .map(
      ({ name, version, licence }) =>
        `${name}@${version} has the licence ${licence ?? '(none)'}, which is not allowed.`,
    )
}

function isAllowed(licence) {
  if (typeof licence !== 'string') return false
  const text = licence.replaceAll(/^\(|\)$/g, '')
  if (text.includes(' OR ')) return text.split(' OR ').some(isAllowed)
  return text.split(' AND ').every((name) => allowed.includes(name))
}

const mitTerms = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`

/** The package's own file, or the terms of its licence for a package that has none. */
function noticeOf({ path, name, licence }) {
  const folder = join(root, path)
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)(\.|$)/i.test(entry))
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8').trim()
  const { author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const person = typeof author === 'string' ? author : author?.name
  if (licence === 'Unlicense') return `${name} is in the public domain (Unlicense).`
  if (licence === 'MIT' && person !== undefined) return `Copyright (c) ${person}\n\n${mitTerms}`
  throw new Error(`${name} has no licence file, and its licence ${licence} has no text here.`)
}

/** The notices of the packages within the console's files. */
export function consoleNotices() {
  const packages = shippedPackages().filter(({ inConsole }) => inConsole)
  const chapters = packages.map((one) => `${one.name} ${one.version} (${one.licence})\n\n${noticeOf(one)}\n`)
  return `The console of Latarnik contains these packages.\n\n${chapters.join(`\n${'-'.repeat(80)}\n\n`)}`
}
