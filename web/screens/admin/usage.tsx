import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Schemas } from '../../api/answers.ts'
import { readPage } from '../../api/client.ts'
import { ChoiceField } from '../../parts/fields.tsx'
import { Listing, useListAddress } from '../../parts/listing.tsx'
import { useNames, useTypeNames } from '../../parts/terms.ts'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { adminWords } from './words.ts'

type Row = Schemas['admin_usage_stats_by_account']
const monthsShown = 13

/** `2026-11` and the months before it, in UTC as the API counts them. */
function lastMonths(): readonly string[] {
  const now = new Date()
  return Array.from({ length: monthsShown }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  )
}

/** Each account's checks and messages in a month. */
export function Usage() {
  const words = useWords(adminWords)
  const { search, show } = useListAddress()
  const months = lastMonths()
  const asked = search.get('month') ?? ''
  const month = /^\d{4}-\d{2}$/.test(asked) ? asked : (months[0] ?? '')
  const [year = '', ofYear = ''] = month.split('-')
  return (
    <section className="card">
      <header>
        <h2>{words.usage}</h2>
      </header>
      <div className="inside row">
        <ChoiceField
          label={words.month}
          name="month"
          value={month}
          options={months.map((name) => ({ id: name, name: `${name} (UTC)` }))}
          set={(value) => show({ month: value, offset: null })}
        />
      </div>
      <Listing path={`/admin/usage_stats/by_account/${year}/${ofYear}`} what={words.usage} empty={words.noUsage}>
        {(rows) => <UsageTable rows={rows} />}
      </Listing>
    </section>
  )
}

function UsageTable({ rows }: { readonly rows: readonly Row[] }) {
  const words = useWords(adminWords)
  const format = useFormat()
  const channelName = useNames('notification_channels')
  const typeName = useTypeNames()
  const ids = [...new Set(rows.map(({ account_id }) => account_id))].join(',')
  const { data = [] } = useQuery({
    queryKey: ['admin', 'names', ids],
    queryFn: async ({ signal }) =>
      (await readPage(`/admin/accounts?id=${ids}&fields=id,name,username&limit=1000`, signal)).rows,
  })
  const nameOf = (id: number) => {
    const account = data.find((one) => one.id === id)
    return account === undefined ? null : account.name || account.username
  }
  return (
    <div className="scrolled">
      <table>
        <thead>
          <tr>
            <th scope="col">{words.account}</th>
            <th scope="col">{words.type}</th>
            <th scope="col" className="count">
              {words.checks}
            </th>
            <th scope="col" className="count">
              {words.analyses}
            </th>
            <th scope="col">{words.notices}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ account_id, service_type_id, checks, analyses, notifications_by_channel }) => (
            <tr key={`${account_id} ${service_type_id}`}>
              <td>
                <Link href={`/admin/accounts/${account_id}`}>{nameOf(account_id) ?? account_id}</Link>
              </td>
              <td>{service_type_id === null ? '–' : typeName(service_type_id)}</td>
              <td className="count">{format.number(checks)}</td>
              <td className="count">{format.number(analyses)}</td>
              <td>
                {Object.entries(notifications_by_channel)
                  .map(([channel, count]) => `${channelName(channel)}: ${format.number(Number(count))}`)
                  .join(', ') || '–'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
