import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { untar } from './untar.ts'

const packageName = '@sparticuz/chromium'
const decompress = promisify(brotliDecompress)

/** A headless shell with its libraries and fonts, bundled in an npm package. */
export interface CarriedBrowser {
  readonly version: string
  /** The folder with the compressed files. */
  readonly source: string
}

/** Null if the package is not installed, or its binary is for another kind of machine. */
export function findCarriedBrowser(): CarriedBrowser | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  try {
    const root = packageFolder(createRequire(import.meta.url).resolve(packageName))
    const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const source = join(root, 'bin')
    return existsSync(join(source, 'chromium.br')) ? { version, source } : null
  } catch {
    return null
  }
}

/**
 * The nearest folder above the file with a package.json that has a name; folders of a package's formats may have one
 * without.
 */
function packageFolder(file: string): string {
  const folder = dirname(file)
  const description = join(folder, 'package.json')
  const isHere = existsSync(description) && JSON.parse(readFileSync(description, 'utf8')).name === packageName
  if (isHere || folder === dirname(folder)) return folder
  return packageFolder(folder)
}

/**
 * The folder with `chromium`, `lib` and `fonts`, unpacked there by the first call. The package's own function unpacks
 * into the system's temporary directory. There anybody could have taken the name before, and half a file would stay for
 * ever.
 */
export async function unpackCarriedBrowser(carried: CarriedBrowser, directory: string): Promise<string> {
  const target = join(directory, `chromium-${carried.version}`)
  if (existsSync(target)) return target
  const fresh = `${target}-${randomUUID()}`
  await mkdir(fresh, { recursive: true, mode: 0o700 })
  try {
    await writeFile(join(fresh, 'chromium'), await read(carried, 'chromium.br'), { mode: 0o755 })
    for (const archive of ['al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br'])
      await untar(await read(carried, archive), fresh)
    await writeFile(join(fresh, 'fonts.conf'), fontsConfiguration(target))
    await rename(fresh, target)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    // Another process may have been first.
    if (!existsSync(target)) throw error
  }
  return target
}

/** The package's own file names folders of another machine. */
function fontsConfiguration(folder: string): string {
  const folders = [join(folder, 'fonts'), '/usr/share/fonts', '/usr/local/share/fonts']
  const lines = folders.map((path) => `  <dir>${path.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</dir>`)
  return `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig>\n${lines.join('\n')}\n  <cachedir prefix="xdg">fontconfig</cachedir>\n</fontconfig>\n`
}

async function read({ source }: CarriedBrowser, name: string): Promise<Buffer> {
  return await decompress(await readFile(join(source, name)))
}
