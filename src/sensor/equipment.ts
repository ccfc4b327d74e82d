import { createDialler, type Dialler, type DiallerOptions } from '../outgoing/dial.ts'
import type { DnsServer } from '../outgoing/dns-client.ts'
import { readResolverFiles, systemFiles } from '../outgoing/resolver-files.ts'
import { createScreen, type Screen } from '../outgoing/screen.ts'
import type { NotTaken } from './browser/evidence.ts'
import type { WarmBrowser } from './browser/warm-browser.ts'
import { createTokens, type Tokens } from './http/token.ts'
import { createPinger, type Pinger } from './ping/pinger.ts'
import { createTlsClient, type TlsClient, type TlsOptions } from './tls.ts'

const usualEvidencePatienceMs = 2000
const usualAnswerPatienceMs = 5000

/** The resources that the checks of one process share. */
export interface Equipment {
  readonly dialler: Dialler
  readonly tls: TlsClient
  readonly pinger: Pinger
  readonly tokens: Tokens
  readonly nameServers: () => readonly DnsServer[]
  /** Decides whether an address may be dialled, or shown to people. */
  readonly screen: Screen
  /** Some targets are forbidden here, so nobody learns about the network of the station. */
  readonly isShared: boolean
  /** Null if this process cannot check pages: no browser was found, or another process checks them. */
  readonly browser: WarmBrowser | null
  /** Milliseconds to wait for evidence; a failed page may not answer at all. */
  readonly evidencePatienceMs: number
  /** Milliseconds to wait for the shortest question to a loaded page. */
  readonly answerPatienceMs: number
  /** Called for every piece of evidence that a failed page did not deliver. */
  readonly onMissingEvidence: (piece: NotTaken) => void
}

export interface EquipmentOptions extends DiallerOptions, TlsOptions {
  /** For tests; otherwise the machine's own name servers. */
  readonly nameServers?: () => readonly DnsServer[]
  readonly browser?: WarmBrowser | null
  /** For tests on a busy machine; otherwise two seconds. */
  readonly evidencePatienceMs?: number
  /** For tests on a busy machine; otherwise five seconds. */
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
    tokens: createTokens(),
    nameServers: options.nameServers ?? ownNameServers(),
    screen: createScreen(options.allow),
    isShared: options.allow !== 'all',
    browser: options.browser ?? null,
    evidencePatienceMs: options.evidencePatienceMs ?? usualEvidencePatienceMs,
    answerPatienceMs: options.answerPatienceMs ?? usualAnswerPatienceMs,
    onMissingEvidence: options.onMissingEvidence ?? (() => undefined),
  }
}
