import { tmpdir } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import type { Authenticator } from '../../src/auth/authenticate.ts'
import { diskArtifacts } from '../../src/database/artifacts/disk.ts'
import type { Database } from '../../src/database/connect.ts'
import { textCollation } from '../../src/database/text.ts'
import type { Clock } from '../../src/domain/clock.ts'
import { noTrials } from '../../src/monitoring/trials.ts'
import { previews } from '../../src/program/previews.ts'
import { EventFeed } from '../../src/resources/event-stream/feed.ts'
import { allResources } from '../../src/resources/index.ts'
import type { RequestLimits } from '../../src/rest/rate-limit.ts'
import { buildApi } from '../../src/rest/server.ts'
import type { Authenticate } from '../../src/rest/who-calls.ts'

export interface Callers {
  readonly authenticator: Authenticator
  /** Authenticates a request; the authenticator by default. */
  readonly authenticate?: Authenticate
  /** 0: no limit is counted. */
  readonly requestsPerMinute: RequestLimits
  /** Pages beside the API. */
  readonly pages?: Parameters<typeof buildApi>[0]['pages']
}

/** The whole API on a database, as the program builds it. */
export async function apiOn(
  database: Database,
  clock: Clock,
  { authenticator, authenticate = authenticator.authenticate, requestsPerMinute, pages }: Callers,
): Promise<FastifyInstance> {
  return buildApi({
    ...{ database, clock, authenticate, requestsPerMinute, publicUrl: undefined, trustedProxies: [] },
    registry: allResources({
      authenticator,
      artifacts: diskArtifacts(tmpdir()),
      events: new EventFeed({ database, clock, onFault: () => undefined }),
      forceLimits: { minute: 3, hour: 30, day: 100 },
      isRegistrationOpen: false,
      trials: noTrials,
      mustConfirmAddresses: false,
      configuredClientIds: [],
      accountDefaults: { languageId: 'en', timeZoneId: 'utc' },
      previews,
    }),
    ...(pages === undefined ? {} : { pages }),
    collation: await textCollation(database),
    log: pino({ level: 'warn' }),
  })
}
