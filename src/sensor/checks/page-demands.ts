import type { Network, VisitOptions } from '../browser/visit.ts'
import { Failure } from '../failure.ts'
import { readRequestHeaders, readTarget, secretsOf } from '../http/request.ts'
import type { CheckJob, Settings } from '../protocol.ts'
import { readBoolean, readInteger, readOptionalInteger, readText } from '../settings.ts'

/** What the settings of a page service ask for. */
export interface PageDemands {
  readonly visit: Omit<VisitOptions, 'mostNavigations'>
  readonly contentPattern: string | null
  readonly forbiddenPattern: string | null
  readonly maximumResponseMs: number | null
  readonly failOnResourceErrors: boolean
}

const defaultTimeoutMs = 30_000
const defaultDevice = 'Pixel 7'

export function readPageDemands(job: CheckJob): PageDemands {
  const { settings, typeId } = job
  const { url, credentials } = readTarget(job)
  const isMobile = typeId.startsWith('mobile')
  return {
    visit: {
      url,
      timeoutMs: readInteger(settings, 'timeout', defaultTimeoutMs),
      device: isMobile ? (readText(settings, 'device') ?? defaultDevice) : null,
      network: isMobile ? readNetwork(settings) : 'none',
      headers: readRequestHeaders(settings),
      credentials,
      maximumBytes: readOptionalInteger(settings, 'maximum_page_size'),
      secrets: secretsOf(credentials),
    },
    contentPattern: readText(settings, 'content_regex'),
    forbiddenPattern: readText(settings, 'negative_content_regex'),
    maximumResponseMs: readOptionalInteger(settings, 'maximum_response_time'),
    failOnResourceErrors: readBoolean(settings, 'fail_on_resource_errors', false),
  }
}

function readNetwork(settings: Settings): Network {
  const network = readText(settings, 'network') ?? '4g'
  if (network === 'none' || network === '4g' || network === '3g') return network
  throw new Failure('setting_invalid', `setting network: ${JSON.stringify(network)} is not known`)
}
