import { readdir } from 'node:fs/promises'
import type { Config } from '../config/config.ts'
import { type Demo, loginsOf } from './demo.ts'
import { demoSlug } from './public-face.ts'

/** Tells the user where to look, once the demo runs. */
export async function demoMessage({ apiUrl, loginLink, note, targets }: Demo, { mail }: Config): Promise<string> {
  const { owner, administrator } = loginsOf(note)
  const api = `${apiUrl}/v3`
  const [home, report] = await Promise.all([
    firstId(`${api}/services?name=${encodeURIComponent('Sklep: strona główna')}`, owner),
    firstId(`${api}/reports?status=completed&sort=-id`, owner),
  ])
  const shop = `http://127.0.0.1:${targets.places.web}`
  // There is no outbox before the first mail.
  const mails = await readdir(mail.outboxDirectory).catch(() => [])
  const ofShop = `$A/services/${home}`
  return `
Żaglownia Hel, a sailmaker's, is watched. Its servers live on: payments are slow at 40 minutes past the hour, the test version fails
ten minutes past every third hour of working days, and the certificate of the shop ends soon.

  Look around     ${loginLink ?? `${apiUrl}/`}
                  (logs in once; later ${apiUrl}/)
  Status page     ${apiUrl}/status/${demoSlug}
  Documentation   ${api}/public/doc/
  Account         ${owner.username}    ${owner.password}
  Others          ania, tom (reads only), agency (one group is shared with it): the same password
  Administrator   ${administrator.username}   the same password
  Shop            ${shop}/
  Mails           ${mail.outboxDirectory} (${mails.length})

Try, in another terminal:

  A=${api} U=${owner.username}:${owner.password}

  # everything with its status
  curl -u $U "$A/services?embed=status,group&limit=100"
  # how fast the shop was in thirty days, and how available in each week
  curl -u $U "${ofShop}/charts/performance?from=-2592000"
  curl -u $U "${ofShop}/charts/availability?from=-2592000&limit=5"
  # its last failures, who saw the last one, and what was seen
  curl -u $U "${ofShop}/history/status_changes?status=failure&sort=-start_time"
  curl -u $U "${ofShop}/history/analyses/last_failure_analysis/checks?embed=sensor,error_type"
  curl -u $U "${ofShop}/history/analyses/last_failure_analysis/checks/1/artifacts/content/plain"
  # seconds of service level in thirty days
  curl -u $U "${ofShop}/history/service_level?from=-2592000"
  # a report of the whole company
  curl -u $U "$A/reports/${report}/pdf" -o report.pdf
  # break the shop for three minutes, and see it told
  curl -X POST ${shop}/break

Ctrl-C ends it; the next run goes on from there.
`
}

/** The id of the list's first element; a question mark if it is empty. */
async function firstId(url: string, login: { readonly username: string; readonly password: string }): Promise<string> {
  const authorization = `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`
  const response = await fetch(`${url}&limit=1&fields=id`, { headers: { authorization } })
  const [first] = response.ok ? ((await response.json()) as { id: number }[]) : []
  return String(first?.id ?? '?')
}
