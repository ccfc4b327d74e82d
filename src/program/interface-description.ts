import { createAuthenticator } from '../auth/authenticate.ts'
import { diskArtifacts } from '../database/artifacts/disk.ts'
import { connect } from '../database/connect.ts'
import { noTrials } from '../monitoring/trials.ts'
import { EventFeed } from '../resources/event-stream/feed.ts'
import { allResources } from '../resources/index.ts'
import type { Registry } from '../rest/declare.ts'
import { openApiDocument } from '../rest/openapi.ts'
import { allOperations } from '../rest/routes.ts'
import type { Language } from '../wording/language.ts'
import { previews } from './previews.ts'

/** Every declaration without a real database: it would connect with the first statement, and none is made. */
export function declaredResources(): Registry {
  const database = connect({ url: 'postgres:///' })
  const clock = { now: () => 0 }
  return allResources({
    authenticator: createAuthenticator({ database, clock, loginLimit: 0 }),
    artifacts: diskArtifacts(''),
    events: new EventFeed({ database, clock, onFault: () => undefined }),
    forceLimits: { minute: 0, hour: 0, day: 0 },
    trials: noTrials,
    configuredClientIds: [],
    isRegistrationOpen: true,
    hasServiceMetrics: true,
    mustConfirmAddresses: true,
    accountDefaults: { languageId: 'en', timeZoneId: 'utc' },
    previews,
  })
}

/** The OpenAPI document as the running program serves it. */
export function interfaceDescription(language: Language = 'en'): Readonly<Record<string, unknown>> {
  const registry = declaredResources()
  return openApiDocument(registry, allOperations(registry), language)
}
