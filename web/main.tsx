import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { Refused } from './api/client.ts'
import { prefix } from './api/prefix.ts'
import { openSession, toLogin } from './api/session.ts'
import { App } from './app.tsx'
import { askFirst, usePlace } from './leaving/place.ts'
import { StartFailed } from './parts/start-failed.tsx'
import { GuestProvider, ReaderProvider, readPerson } from './reader.tsx'
import './styles/tokens.css'
import './styles/base.css'

document.documentElement.dataset['theme'] = localStorage.getItem('latarnik.theme') ?? 'system'

const queries = new QueryClient({
  defaultOptions: {
    // A browser that takes itself for offline would let them wait, and say nothing.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5000,
      // A refusal stays one; what cannot be reached is tried again.
      retry: (failures, error) => !(error instanceof Refused && error.status < 500) && failures < 2,
      refetchOnWindowFocus: true,
    },
  },
})

/** The page of a link without a login. The link's token follows the #, so no server receives it. */
async function startGuest(): Promise<void> {
  const { SharedWallboard } = await import('./screens/wallboard/shared-wallboard.tsx')
  createRoot(document.getElementById('root') as HTMLElement).render(
    <QueryClientProvider client={queries}>
      <GuestProvider>
        <SharedWallboard token={location.hash.slice(1)} />
      </GuestProvider>
    </QueryClientProvider>,
  )
}

async function start(): Promise<void> {
  if (location.pathname === `${prefix}/wallboard/shared`) return startGuest()
  const root = createRoot(document.getElementById('root') as HTMLElement)
  try {
    if (!(await openSession())) await toLogin()
    const person = await readPerson()
    root.render(
      <QueryClientProvider client={queries}>
        <ReaderProvider person={person}>
          <Router base={prefix} hook={usePlace} aroundNav={askFirst}>
            <App />
          </Router>
        </ReaderProvider>
      </QueryClientProvider>,
    )
  } catch (error) {
    root.render(<StartFailed error={error} again={() => location.reload()} />)
  }
}

void start()
