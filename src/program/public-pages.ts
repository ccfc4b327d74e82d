import type { FastifyInstance, FastifyRequest } from 'fastify'
import { serveAccountability } from '../accountability/serve.ts'
import type { Authenticator } from '../auth/authenticate.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/connect.ts'
import type { Clock } from '../domain/clock.ts'
import { createTextResolver } from '../outgoing/texts.ts'
import { Badges } from '../status-pages/badges.ts'
import { HostProofs } from '../status-pages/host-proofs.ts'
import { StatusPages } from '../status-pages/pages.ts'
import { rewrittenUrl, serveStatusPages } from '../status-pages/serve.ts'
import { Subscriptions } from '../status-pages/subscribing/subscriptions.ts'
import type { Language } from '../wording/language.ts'
import { urlOf } from './listen.ts'
import type { Log } from './log.ts'
import { pageHostsOf } from './page-hosts.ts'
import { passwordLimit, visitorsOf } from './page-visitors.ts'

export interface PublicPagesParts {
  readonly config: Pick<
    Config,
    | 'statusPages'
    | 'publicUrl'
    | 'host'
    | 'port'
    | 'statusPageHosts'
    | 'loginAttemptsPerMinute'
    | 'vendorUrls'
    | 'hasAccountabilityPage'
  >
  readonly log: Log
  readonly clock: Clock
  readonly database: Database
  readonly authenticator: Pick<Authenticator, 'authenticate'>
}

/** Where visitors reach the pages that have no host of their own. */
export function pagesUrlOf(config: Pick<Config, 'statusPages' | 'publicUrl' | 'host' | 'port'>): string {
  const { statusPages, publicUrl, host } = config
  if (statusPages === undefined) return publicUrl ?? urlOf(config)
  return statusPages.url ?? urlOf({ host, port: statusPages.port })
}

export type PublicPages = ReturnType<typeof publicPages>

/** The public status pages of this process. */
export function publicPages({ config, log, clock, database, authenticator }: PublicPagesParts) {
  const publicUrl = pagesUrlOf(config)
  const pages = new StatusPages({
    ...{ database, clock, publicUrl, hosts: pageHostsOf(config) },
    onFault: (err) => log.warn({ err }, 'status pages cannot be updated; the last ones are shown'),
  })
  const proofs = new HostProofs({
    ...{ database, clock, lookUp: createTextResolver() },
    onFault: (err) => log.warn({ err }, 'hosts of status pages cannot be checked; those that are proven stay so'),
  })
  const badges = new Badges({ database, clock })
  const subscriptions = new Subscriptions({ database, clock, vendorUrls: config.vendorUrls })
  // Apart from the API there are no logins: cookies of one host go to all of its ports.
  const accountsOf = config.statusPages === undefined ? visitorsOf(authenticator) : async () => []
  const limit = passwordLimit({ database, clock, attemptsPerMinute: config.loginAttemptsPerMinute })
  const onFigures = (err: unknown) =>
    log.warn({ err }, 'the accountability page cannot be updated; the last one is shown')
  return {
    /** From now on the pages follow their changes, until the server closes. */
    serve(server: FastifyInstance, languageOf: (request: FastifyRequest) => Language): void {
      serveStatusPages(server, { pages, badges, subscriptions, accountsOf, limit, publicUrl, languageOf })
      if (config.hasAccountabilityPage) serveAccountability(server, { database, clock, languageOf, onFault: onFigures })
      pages.start()
      proofs.start()
      server.addHook('preClose', async () => {
        await Promise.all([pages.stop(), proofs.stop()])
      })
    },
    rewriteUrl: (url: string, host: string | undefined) => rewrittenUrl(pages, url, host),
  }
}
