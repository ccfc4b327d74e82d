import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { read } from '../../api/client.ts'
import { useFormat, useReader } from '../../reader.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { type Language, useWords } from '../../words/words.ts'
import { PasswordForm } from './password-form.tsx'
import { Sessions } from './sessions.tsx'
import { accountWords } from './words.ts'
import './account.css'

const themes = ['system', 'light', 'dark'] as const
const languages = ['browser', 'en', 'pl'] as const

/** Who is logged in, how the console looks for them, their password and sessions. */
export function AccountScreen() {
  const words = useWords(accountWords)
  useEffect(() => showTitle(words.title), [words])
  return (
    <div className="account-screen stack">
      <h1>{words.title}</h1>
      <div className="two">
        <Facts />
        <Choices />
        <PasswordForm />
      </div>
      <Sessions />
    </div>
  )
}

interface OwnAndShared {
  readonly own: number
  readonly shared: number
}

function Facts() {
  const words = useWords(accountWords)
  const format = useFormat()
  const { account, zone } = useReader()
  const stats = useQuery({
    queryKey: ['account', 'stats'],
    queryFn: ({ signal }) =>
      read<{ readonly services: OwnAndShared; readonly groups: OwnAndShared }>('/accounts/my_account/stats', signal),
  })
  const limits = useQuery({
    queryKey: ['packages', 'mine'],
    queryFn: ({ signal }) =>
      read<{ readonly name: string; readonly maximum_services: number | null }>('/packages/my_package', signal),
  })
  const most = limits.data?.maximum_services
  return (
    <section className="card">
      <header>
        <h2>{account.name || account.username}</h2>
      </header>
      <dl className="inside facts">
        <dt>{words.username}</dt>
        <dd>{account.username}</dd>
        <dt>{words.zone}</dt>
        <dd>{zone}</dd>
        <dt>{words.services}</dt>
        <dd>
          {stats.data === undefined ? '…' : format.number(stats.data.services.own)}
          {most == null ? null : ` / ${format.number(most)}`}
        </dd>
        <dt>{words.groups}</dt>
        <dd>{stats.data === undefined ? '…' : format.number(stats.data.groups.own)}</dd>
      </dl>
      {account.is_read_only ? <p className="inside hint">{words.readOnly}</p> : null}
    </section>
  )
}

function Choices() {
  const words = useWords(accountWords)
  const { preferences, choose } = useReader()
  return (
    <section className="card">
      <header>
        <h2>{words.console}</h2>
      </header>
      <div className="inside stack">
        <label className="field">
          {words.language}
          <select
            value={preferences.language ?? 'browser'}
            onChange={({ target }) =>
              choose({ language: target.value === 'browser' ? null : (target.value as Language) })
            }
          >
            {languages.map((language) => (
              <option key={language} value={language}>
                {words.languages[language]}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          {words.theme}
          <select
            value={preferences.theme}
            onChange={({ target }) => choose({ theme: themes.find((theme) => theme === target.value) ?? 'system' })}
          >
            {themes.map((theme) => (
              <option key={theme} value={theme}>
                {words.themes[theme]}
              </option>
            ))}
          </select>
        </label>
      </div>
    </section>
  )
}
