import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type CarriedBrowser, findCarriedBrowser, unpackCarriedBrowser } from './carried.ts'

/** A browser found on this machine. */
export type FoundBrowser =
  | { readonly kind: 'configured' | 'headless-shell' | 'chromium'; readonly path: string }
  | { readonly kind: 'carried'; readonly carried: CarriedBrowser }

export interface BrowserProgram {
  readonly path: string
  readonly environment: Readonly<Record<string, string>>
}

/** The smaller program comes first: a headless shell needs a third of the whole browser's CPU. */
const names = [
  ['headless-shell', 'chromium-headless-shell'],
  ['headless-shell', 'chrome-headless-shell'],
  ['chromium', 'chromium'],
  ['chromium', 'chromium-browser'],
  ['chromium', 'google-chrome'],
] as const

export interface BrowserSearch {
  /** Used even if the file does not exist, because a wrong path must be noticed, not replaced. */
  readonly chromiumPath: string | null
  readonly searchPath?: string
  readonly carried?: () => CarriedBrowser | null
}

/** The configured browser, else one of the system's, else the one bundled in npm; null if this machine has none. */
export function findBrowser(places: BrowserSearch): FoundBrowser | null {
  return findBrowsers(places)[0] ?? null
}

/** All browsers found, the preferred one first; if one is configured, only that one. */
export function findBrowsers(places: BrowserSearch): FoundBrowser[] {
  const { chromiumPath, searchPath = process.env['PATH'] ?? '', carried = findCarriedBrowser } = places
  if (chromiumPath !== null) return [{ kind: 'configured', path: chromiumPath }]
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '')
  const found = names.flatMap(([kind, name]): FoundBrowser[] => {
    const path = folders.map((folder) => join(folder, name)).find(isProgram)
    return path === undefined ? [] : [{ kind, path }]
  })
  const last = carried()
  return last === null ? found : [...found, { kind: 'carried', carried: last }]
}

/** The program to run. The first call unpacks a bundled browser below the directory. */
export async function prepareBrowser(found: FoundBrowser, directory: string): Promise<BrowserProgram> {
  if (found.kind !== 'carried') return { path: found.path, environment: {} }
  const folder = await unpackCarriedBrowser(found.carried, directory)
  return {
    path: join(folder, 'chromium'),
    environment: { LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  }
}

/** The browser's name for people. */
export function browserText(found: FoundBrowser): string {
  if (found.kind === 'carried')
    return `the headless shell that npm carries (@sparticuz/chromium ${found.carried.version})`
  return found.kind === 'configured' ? `${found.path} (CHROMIUM_PATH)` : found.path
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
