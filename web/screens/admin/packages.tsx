import { Link } from 'wouter'
import { Listing } from '../../parts/listing.tsx'
import { packageWords } from '../../parts/package-words.ts'
import { useNames } from '../../parts/terms.ts'
import { TypeLimits } from '../../parts/type-limits.tsx'
import { useFormat } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { adminWords } from './words.ts'

/** The limits of each package. */
export function Packages() {
  const words = useWords(adminWords)
  const parts = useWords(packageWords)
  const format = useFormat()
  const channelName = useNames('notification_channels')
  const limit = (value: number | null) => (value === null ? words.noLimit : format.number(value))
  return (
    <section className="card">
      <header>
        <h2>{words.packages}</h2>
      </header>
      <p className="inside dim">{words.packagesHint}</p>
      <Listing path="/admin/packages?sort=name" what={words.packages} empty={words.noPackages} canSearch>
        {(rows) => (
          <ul className="items">
            {rows.map((row) => (
              <li key={row.id}>
                <span className="what">
                  <b>{row.name}</b>
                  <span>
                    {words.packageText(
                      limit(row.maximum_services),
                      limit(row.maximum_sensors),
                      limit(row.maximum_sms_numbers),
                      format.duration(row.minimum_interval),
                    )}
                  </span>
                  <span>
                    {parts.reports}: {limit(row.monthly_reports_limit)}.
                  </span>
                  <details>
                    <summary>{parts.types}</summary>
                    <TypeLimits types={row.available_service_types} />
                  </details>
                  <span className="dim">{row.available_notification_channel_ids.map(channelName).join(', ')}</span>
                </span>
                <span className="row">
                  {row.is_available_for_new_accounts ? <span className="dim">{words.forNew}</span> : null}
                  <Link
                    className="button small"
                    href={`/admin/accounts?package_id=${row.id}`}
                    aria-label={`${words.accounts}: ${row.name}`}
                  >
                    {words.accounts}
                  </Link>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Listing>
    </section>
  )
}
