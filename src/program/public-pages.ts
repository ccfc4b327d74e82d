import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Authenticator } from '../auth/authenticate.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/connect.ts'
import type { Clock } from '../domain/clock.ts'
import { Badges } from '../status-pages/badges.ts'
import { StatusPages } from '../status-pages/pages.ts'
import { rewrittenUrl, serveStatusPages } from '../status-pages/serve.ts'
import type { Language } from '../wording/language.ts'
import { urlOf } from './listen.ts'
import type { Log } from './log.ts'
import { passwordLimit, visitorsOf } from './page-visitors.ts'

export interface PublicPagesParts {
  readonly config: Pick<Config, 'publicUrl' | 'host' | 'port' | 'statusPageHosts' | 'loginAttemptsPerMinute'>
  readonly log: Log
  readonly clock: Clock
  readonly database: Database
  readonly authenticator: Pick<Authenticator, 'authenticate'>
}

/** The public status pages of this process. */
export function publicPages({ config, log, clock, database, authenticator }: PublicPagesParts) {
  const publicUrl = config.publicUrl ?? urlOf(config)
  const pages = new StatusPages({
    ...{ database, clock, publicUrl, permittedHosts: config.statusPageHosts },
    onFault: (err) => log.warn({ err }, 'status pages cannot be updated; the last ones are shown'),
  })
  const badges = new Badges({ database, clock })
  const accountsOf = visitorsOf(authenticator)
  const limit = passwordLimit({ database, clock, attemptsPerMinute: config.loginAttemptsPerMinute })
  return {
    /** From now on the pages follow their changes, until the server closes. */
    serve(server: FastifyInstance, languageOf: (request: FastifyRequest) => Language): void {
      serveStatusPages(server, { pages, badges, accountsOf, limit, publicUrl, languageOf })
      pages.start()
      server.addHook('preClose', () => pages.stop())
    },
    rewriteUrl: (url: string, host: string | undefined) => rewrittenUrl(pages, url, host),
  }
}
