import { createDialler, type Dialler, type DiallerOptions } from '../outgoing/dial.ts'
import type { DnsServer } from '../outgoing/dns-client.ts'
import { readResolverFiles, systemFiles } from '../outgoing/resolver-files.ts'
import { createScreen, type Screen } from '../outgoing/screen.ts'
import type { NotTaken } from './browser/evidence.ts'
import type { WarmBrowser } from './browser/warm-browser.ts'
import { createPinger, type Pinger } from './ping/pinger.ts'
import { createTlsClient, type TlsClient, type TlsOptions } from './tls.ts'

const usualEvidencePatienceMs = 2000
const usualAnswerPatienceMs = 5000

/** What the checks of one process share. */
export interface Equipment {
  readonly dialler: Dialler
  readonly tls: TlsClient
  readonly pinger: Pinger
  readonly nameServers: () => readonly DnsServer[]
  /** Whether an address may be dialled, or shown to people. */
  readonly screen: Screen
  /** Not everything may be checked here: nobody is told of the network that the station stands in. */
  readonly isShared: boolean
  /** Null where pages cannot be checked: no browser was found, or another process checks them. */
  readonly browser: WarmBrowser | null
  /** Milliseconds: a page that failed may answer to nothing any more. */
  readonly evidencePatienceMs: number
  /** Milliseconds for the shortest question to a page that has loaded. */
  readonly answerPatienceMs: number
  /** Told of every piece of evidence that a failed page did not give. */
  readonly onMissingEvidence: (piece: NotTaken) => void
}

export interface EquipmentOptions extends DiallerOptions, TlsOptions {
  /** For tests: the machine's own name servers otherwise. */
  readonly nameServers?: () => readonly DnsServer[]
  readonly browser?: WarmBrowser | null
  /** For tests on a busy machine: two seconds otherwise. */
  readonly evidencePatienceMs?: number
  /** For tests on a busy machine: five seconds otherwise. */
  readonly answerPatienceMs?: number
  readonly onMissingEvidence?: (piece: NotTaken) => void
}

function ownNameServers(): () => readonly DnsServer[] {
  const { configuration } = readResolverFiles(systemFiles, 53)
  return () => configuration().servers
}

export function createEquipment(options: EquipmentOptions): Equipment {
  return {
    dialler: createDialler(options),
    tls: createTlsClient(options),
    pinger: createPinger(),
    nameServers: options.nameServers ?? ownNameServers(),
    screen: createScreen(options.allow),
    isShared: options.allow !== 'all',
    browser: options.browser ?? null,
    evidencePatienceMs: options.evidencePatienceMs ?? usualEvidencePatienceMs,
    answerPatienceMs: options.answerPatienceMs ?? usualAnswerPatienceMs,
    onMissingEvidence: options.onMissingEvidence ?? (() => undefined),
  }
}
