import { useEffect } from 'react'
import { Route, Switch } from 'wouter'
import { NotFound } from '../../parts/not-found.tsx'
import { OnlyAdministrators } from '../../parts/only-administrators.tsx'
import { Sections } from '../../parts/sections.tsx'
import { useReader } from '../../reader.tsx'
import { showTitle } from '../../shell/favicon.ts'
import { useWords } from '../../words/words.ts'
import { AccountPage } from './account-page.tsx'
import { Accounts } from './accounts.tsx'
import { Clients } from './clients.tsx'
import { Packages } from './packages.tsx'
import { AdminStations } from './stations.tsx'
import { SystemState } from './system-state.tsx'
import { Usage } from './usage.tsx'
import { adminWords } from './words.ts'

/** The administrator's screen: accounts, stations, applications, and the state of the installation. */
export function AdminScreen() {
  const words = useWords(adminWords)
  const { isAdministrator } = useReader()
  useEffect(() => showTitle(words.title), [words])
  if (!isAdministrator) return <OnlyAdministrators />
  const sections = [
    { path: '/admin', name: words.state },
    { path: '/admin/accounts', name: words.accounts },
    { path: '/admin/packages', name: words.packages },
    { path: '/admin/stations', name: words.stations },
    { path: '/admin/clients', name: words.clients },
    { path: '/admin/usage', name: words.usage },
  ]
  return (
    <div className="admin-screen stack">
      <h1>{words.title}</h1>
      <Sections label={words.sections} sections={sections}>
        <Switch>
          <Route path="/admin">{() => <SystemState />}</Route>
          <Route path="/admin/accounts">{() => <Accounts />}</Route>
          <Route path="/admin/accounts/:id">{({ id }) => <AccountPage key={id} id={Number(id)} />}</Route>
          <Route path="/admin/packages">{() => <Packages />}</Route>
          <Route path="/admin/stations">{() => <AdminStations />}</Route>
          <Route path="/admin/clients">{() => <Clients />}</Route>
          <Route path="/admin/usage">{() => <Usage />}</Route>
          <Route>{() => <NotFound />}</Route>
        </Switch>
      </Sections>
    </div>
  )
}
