import { Icon } from '../../parts/icon.tsx'
import { Listing } from '../../parts/listing.tsx'
import { useFormat, useReader } from '../../reader.tsx'
import { useWords } from '../../words/words.ts'
import { Program } from './program.tsx'
import { accountWords } from './words.ts'

/** The login attempts, with their source and outcome. */
export function LoginLog() {
  const words = useWords(accountWords)
  const format = useFormat()
  const { account } = useReader()
  return (
    <section className="card" aria-labelledby="logins">
      <header>
        <h2 id="logins">{words.logins}</h2>
        <span className="dim">{format.zone}</span>
      </header>
      <Listing
        path={`/accounts/${account.id}/logs/authentications?sort=-time`}
        what={words.logins}
        empty={words.noLogins}
      >
        {(rows) => (
          <ul className="items">
            {rows.map(({ id, time, ip_address, user_agent, method, success }) => (
              <li key={id}>
                <span className="what">
                  <Program text={user_agent} />
                  <span className="dim">
                    {format.moment(time)} · {ip_address} · {words.methods[method] ?? method}
                  </span>
                </span>
                <span className={success ? 'outcome good' : 'outcome bad'}>
                  <Icon name={success ? 'ok' : 'failure'} />
                  {success ? words.succeeded : words.refused}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Listing>
    </section>
  )
}
