import { lazy, Suspense, useEffect } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { Loading } from '../../parts/loading.tsx'
import { NotFound } from '../../parts/not-found.tsx'
import { Sections } from '../../parts/sections.tsx'
import { useReader } from '../../reader.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { AddressFilter } from './address-filter.tsx'
import { ApiKeys } from './api-keys.tsx'
import { auditWords } from './audit/audit-words.ts'
import { Groups } from './groups.tsx'
import { keysWords } from './keys-words.ts'
import { LoginLog } from './login-log.tsx'
import { PackageUse } from './package-use.tsx'
import { Passkeys } from './passkeys.tsx'
import { PasswordForm } from './password-form.tsx'
import { People } from './people.tsx'
import { Profile } from './profile.tsx'
import { ReceivedShares } from './received-shares.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'
import { accountWords } from './words.ts'

const AuditLog = lazy(() => import('./audit/audit-log.tsx').then((file) => ({ default: file.AuditLog })))

/** The user's own account: personal data, logins, access for others, and the package. */
export function AccountScreen() {
  const words = useWords(accountWords)
  const [keys, audit] = [useWords(keysWords), useWords(auditWords)]
  const { account } = useReader()
  const mayReadLogs = account.permissions?.['read_logs'] === true
  useEffect(() => showTitle(words.title), [words])
  const sections = [
    { path: '/account', name: words.profile },
    { path: '/account/security', name: words.security },
    { path: '/account/sessions', name: words.sessionsAndLog },
    { path: '/account/keys', name: keys.keys },
    ...(mayReadLogs ? [{ path: '/account/audit-log', name: audit.title }] : []),
    // Only the login of the whole account lets others in.
    ...(account.parent_account_id === null ? [{ path: '/account/people', name: words.people }] : []),
    { path: '/account/groups', name: words.groupsAndShares },
    { path: '/account/package', name: words.packageTitle },
  ]
  return (
    <div className="account-screen stack">
      <h1>{words.title}</h1>
      <Sections label={words.sections} sections={sections}>
        <Switch>
          <Route path="/account">{() => <Profile />}</Route>
          <Route path="/account/security">
            {() => (
              <>
                <Passkeys />
                <SecondFactor />
                <PasswordForm />
                <AddressFilter />
              </>
            )}
          </Route>
          <Route path="/account/sessions">
            {() => (
              <>
                <Sessions />
                {mayReadLogs ? <LoginLog /> : null}
              </>
            )}
          </Route>
          <Route path="/account/keys">{() => <ApiKeys />}</Route>
          <Route path="/account/audit-log">
            {() => (
              <Suspense fallback={<Loading what={audit.title} />}>
                <AuditLog />
              </Suspense>
            )}
          </Route>
          <Route path="/account/changes">{() => <Redirect to="/account/audit-log" replace />}</Route>
          <Route path="/account/people">{() => <People />}</Route>
          <Route path="/account/groups">
            {() => (
              <>
                <Groups />
                <ReceivedShares />
              </>
            )}
          </Route>
          <Route path="/account/package">{() => <PackageUse />}</Route>
          <Route>{() => <NotFound />}</Route>
        </Switch>
      </Sections>
    </div>
  )
}
