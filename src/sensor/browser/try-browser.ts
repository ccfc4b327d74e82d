import { isolationTexts, type PageIsolation } from '../../checks/page-isolation.ts'
import { errorText } from '../../domain/text/error-text.ts'
import { browserText, findBrowser, prepareBrowser } from './find-browser.ts'
import { killBrowser, launchBrowser, launchText } from './launch.ts'
import { within } from './within.ts'

interface BrowserFinding {
  readonly isRight: boolean
  /** The browser's name, with its success or its fault. */
  readonly text: string
}

export interface BrowserChoice {
  /** The operator's choice; null: any browser of this machine. */
  readonly chromiumPath: string | null
  /** Where a bundled browser is unpacked. */
  readonly directory: string
  readonly isolation: PageIsolation
}

const closePatienceMs = 3000
export const noBrowser =
  'this machine has no browser: neither CHROMIUM_PATH, chromium-headless-shell nor chromium, and npm carried none for it'

/** Starts the browser that this machine's stations would use, and ends it. */
export async function tryBrowser(choice: BrowserChoice): Promise<BrowserFinding> {
  const found = findBrowser(choice)
  if (found === null) return { isRight: false, text: noBrowser }
  try {
    const program = await prepareBrowser(found, choice.directory)
    const { browser, processId } = await launchBrowser({ program, isSandboxed: choice.isolation === 'sandbox' })
    const version = browser.version()
    await within(closePatienceMs, browser.close())
    killBrowser(processId)
    return { isRight: true, text: `${browserText(found)}: version ${version}, ${isolationTexts[choice.isolation]}` }
  } catch (error) {
    return { isRight: false, text: `${browserText(found)} ${startFault(error, choice.directory)}` }
  }
}

/** A carried browser is unpacked where it is first needed; a full disk prevents that. */
export function startFault(error: unknown, directory: string): string {
  const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC'
  return isFull
    ? `is not unpacked yet, and the disk of ${directory} has no room for it`
    : `does not start: ${launchText(errorText(error))}`
}
