import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { LeaveDialog } from './leaving/leave-dialog.tsx'
import { FaultBoundary } from './parts/fault-boundary.tsx'
import { Loading } from './parts/loading.tsx'
import { NotFound } from './parts/not-found.tsx'
import { useReader } from './reader.tsx'
import accountStyle from './screens/account/account.css?alone'
import adminStyle from './screens/admin/admin.css?alone'
import calendarStyle from './screens/calendar/calendar.css?alone'
import deliveriesStyle from './screens/deliveries/deliveries.css?alone'
import installationStyle from './screens/installation/installation.css?alone'
import reportsStyle from './screens/reports/reports.css?alone'
import { ServicesScreen } from './screens/services/services-screen.tsx'
import stationsStyle from './screens/stations/stations.css?alone'
import statusPagesStyle from './screens/status-pages/status-pages.css?alone'
import templatesStyle from './screens/templates/templates.css?alone'
import wallboardStyle from './screens/wallboard/wallboard.css?alone'
import welcomeStyle from './screens/welcome/welcome.css?alone'
import { Shell } from './shell/shell.tsx'
import { shellWords } from './shell/words.ts'
import { withStyle } from './styles/with-style.ts'
import { useWords } from './words/words.ts'

const ServiceScreen = lazy(() =>
  import('./screens/service/service-screen.tsx').then((file) => ({ default: file.ServiceScreen })),
)
const FailureScreen = lazy(() =>
  import('./screens/failure/failure-screen.tsx').then((file) => ({ default: file.FailureScreen })),
)
const ServiceLevelScreen = lazy(() =>
  import('./screens/service-level/service-level-screen.tsx').then((file) => ({ default: file.ServiceLevelScreen })),
)
const CalendarScreen = lazy(() =>
  withStyle(calendarStyle, import('./screens/calendar/calendar-screen.tsx')).then((file) => ({
    default: file.CalendarScreen,
  })),
)
const ReportsScreen = lazy(() =>
  withStyle(reportsStyle, import('./screens/reports/reports-screen.tsx')).then((file) => ({
    default: file.ReportsScreen,
  })),
)
const ReportScreen = lazy(() =>
  withStyle(reportsStyle, import('./screens/reports/report-screen.tsx')).then((file) => ({
    default: file.ReportScreen,
  })),
)
const WallboardScreen = lazy(() =>
  withStyle(wallboardStyle, import('./screens/wallboard/wallboard-screen.tsx')).then((file) => ({
    default: file.WallboardScreen,
  })),
)
const WallboardsScreen = lazy(() =>
  withStyle(wallboardStyle, import('./screens/wallboard/wallboards-screen.tsx')).then((file) => ({
    default: file.WallboardsScreen,
  })),
)
const EditServiceScreen = lazy(() =>
  import('./screens/edit-service/edit-service-screen.tsx').then((file) => ({ default: file.EditServiceScreen })),
)
const NotificationsScreen = lazy(() =>
  import('./screens/notifications/notifications-screen.tsx').then((file) => ({ default: file.NotificationsScreen })),
)
const DeliveriesScreen = lazy(() =>
  withStyle(deliveriesStyle, import('./screens/deliveries/deliveries-screen.tsx')).then((file) => ({
    default: file.DeliveriesScreen,
  })),
)
const TemplatesScreen = lazy(() =>
  withStyle(templatesStyle, import('./screens/templates/templates-screen.tsx')).then((file) => ({
    default: file.TemplatesScreen,
  })),
)
const OnCallScreen = lazy(() =>
  import('./screens/on-call/on-call-screen.tsx').then((file) => ({ default: file.OnCallScreen })),
)
const AddStation = lazy(() => import('./screens/admin/add-station.tsx').then((file) => ({ default: file.AddStation })))
const StationsScreen = lazy(() =>
  withStyle(stationsStyle, import('./screens/stations/stations-screen.tsx')).then((file) => ({
    default: file.StationsScreen,
  })),
)
const WelcomeScreen = lazy(() =>
  withStyle(welcomeStyle, import('./screens/welcome/welcome-screen.tsx')).then((file) => ({
    default: file.WelcomeScreen,
  })),
)
const AccountScreen = lazy(() =>
  withStyle(accountStyle, import('./screens/account/account-screen.tsx')).then((file) => ({
    default: file.AccountScreen,
  })),
)

const AdminScreen = lazy(() =>
  withStyle(adminStyle, import('./screens/admin/admin-screen.tsx')).then((file) => ({ default: file.AdminScreen })),
)

const StatusPagesScreen = lazy(() =>
  withStyle(statusPagesStyle, import('./screens/status-pages/status-pages-screen.tsx')).then((file) => ({
    default: file.StatusPagesScreen,
  })),
)

const StatusPageScreen = lazy(() =>
  withStyle(statusPagesStyle, import('./screens/status-pages/status-page-screen.tsx')).then((file) => ({
    default: file.StatusPageScreen,
  })),
)

const InstallationScreen = lazy(() =>
  withStyle(installationStyle, import('./screens/installation/installation-screen.tsx')).then((file) => ({
    default: file.InstallationScreen,
  })),
)

/** The screen of the object with this number. A path with anything else leads nowhere. */
function numbered(text: string, screen: (id: number) => ReactNode): ReactNode {
  return /^\d{1,10}$/.test(text) ? screen(Number(text)) : <NotFound />
}

/** Every path of the console and the screen behind it. */
export function App() {
  const words = useWords(shellWords)
  const [place] = useLocation()
  const { isAdministrator } = useReader()
  useEffect(() => {
    document.documentElement.dataset['ready'] = 'yes'
  }, [])
  // It has the whole screen.
  if (place === '/wallboard')
    return (
      <FaultBoundary place={place}>
        <Suspense fallback={<Loading what={words.screen} />}>
          <WallboardScreen />
        </Suspense>
      </FaultBoundary>
    )
  return (
    <Shell>
      <LeaveDialog />
      <FaultBoundary place={place}>
        <Suspense fallback={<Loading what={words.screen} />}>
          <Switch>
            {isAdministrator && !/^\/(admin|installation|stations)/.test(place) ? (
              <Redirect to="/admin" replace />
            ) : null}
            <Route path="/">{() => <ServicesScreen />}</Route>
            <Route path="/services">{() => <ServicesScreen />}</Route>
            <Route path="/services/new">{() => <EditServiceScreen />}</Route>
            <Route path="/services/:id/edit">
              {({ id }) => numbered(id, (number) => <EditServiceScreen id={number} />)}
            </Route>
            <Route path="/services/:id/failures/:change">
              {({ id, change }) => numbered(id, (number) => <FailureScreen serviceId={number} changeId={change} />)}
            </Route>
            <Route path="/services/:id/analyses/:analysis">
              {({ id, analysis }) =>
                numbered(id, (number) => <FailureScreen serviceId={number} analysisId={analysis} />)
              }
            </Route>
            <Route path="/services/:id/service-level">
              {({ id }) => numbered(id, (number) => <ServiceLevelScreen id={number} />)}
            </Route>
            <Route path="/services/:id">{({ id }) => numbered(id, (number) => <ServiceScreen id={number} />)}</Route>
            <Route path="/calendar">{() => <CalendarScreen />}</Route>
            <Route path="/reports">{() => <ReportsScreen />}</Route>
            <Route path="/reports/:id">{({ id }) => numbered(id, (number) => <ReportScreen id={number} />)}</Route>
            <Route path="/wallboards">{() => <WallboardsScreen />}</Route>
            <Route path="/status-pages">{() => <StatusPagesScreen />}</Route>
            <Route path="/status-pages/new">{() => <StatusPagesScreen isAdding />}</Route>
            <Route path="/status-pages/:id">
              {({ id }) => numbered(id, (number) => <StatusPageScreen id={number} />)}
            </Route>
            <Route path="/welcome">{() => <WelcomeScreen />}</Route>
            <Route path="/notifications">{() => <NotificationsScreen />}</Route>
            <Route path="/notifications/templates">{() => <TemplatesScreen />}</Route>
            <Route path="/notifications/templates/:id">{({ id }) => <TemplatesScreen asked={id} />}</Route>
            <Route path="/:place/addresses/:id">
              {({ place: from, id }) => numbered(id, (number) => <DeliveriesScreen place={from} id={number} />)}
            </Route>
            <Route path="/on-call">{() => <OnCallScreen />}</Route>
            <Route path="/stations">{() => <StationsScreen add={<AddStation />} />}</Route>
            <Route path="/admin">{() => <AdminScreen />}</Route>
            <Route path="/admin/*">{() => <AdminScreen />}</Route>
            <Route path="/installation">{() => <InstallationScreen />}</Route>
            <Route path="/account">{() => <AccountScreen />}</Route>
            <Route path="/account/:section">{() => <AccountScreen />}</Route>
            <Route>{() => <NotFound />}</Route>
          </Switch>
        </Suspense>
      </FaultBoundary>
    </Shell>
  )
}
