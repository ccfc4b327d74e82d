import { Failure } from '../../outgoing/failure.ts'
import type { Network, VisitOptions } from '../../sensor/browser/visit.ts'
import { readRequestHeaders, readTarget, secretsOf } from '../../sensor/http/request.ts'
import type { Asker } from '../../sensor/pattern.ts'
import type { CheckJob, Settings } from '../../sensor/protocol.ts'
import { readBoolean, readInteger, readOptionalInteger, readOptionalText } from '../../sensor/settings.ts'

/** The demands of a page service's settings. */
export interface PageDemands {
  readonly visit: Omit<VisitOptions, 'mostNavigations'>
  readonly contentPattern: string | null
  readonly forbiddenPattern: string | null
  /** For the pattern searches. */
  readonly asker: Asker
  readonly maximumResponseMs: number | null
  readonly failOnResourceErrors: boolean
}

export function readPageDemands(job: CheckJob): PageDemands {
  const { settings } = job
  const { url, credentials } = readTarget(job)
  return {
    visit: {
      url,
      timeoutMs: readInteger(settings, 'timeout'),
      device: readOptionalText(settings, 'device'),
      network: readNetwork(settings),
      headers: readRequestHeaders(settings),
      credentials,
      maximumBytes: readOptionalInteger(settings, 'maximum_page_size'),
      secrets: secretsOf(credentials),
    },
    contentPattern: readOptionalText(settings, 'content_regex'),
    forbiddenPattern: readOptionalText(settings, 'negative_content_regex'),
    asker: job,
    maximumResponseMs: readOptionalInteger(settings, 'maximum_response_time'),
    failOnResourceErrors: readBoolean(settings, 'fail_on_resource_errors'),
  }
}

/** Only phones have a network of their own. */
function readNetwork(settings: Settings): Network {
  const network = readOptionalText(settings, 'network') ?? 'none'
  if (network === 'none' || network === '4g' || network === '3g') return network
  throw new Failure('setting_invalid', `setting network: ${JSON.stringify(network)} is not known`)
}
