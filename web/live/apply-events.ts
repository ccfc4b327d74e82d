import type { Query, QueryClient } from '@tanstack/react-query'
import type { ServiceStatus, StatusChange } from '../api/answers.ts'
import type { ShownService } from '../screens/service/service-query.ts'
import { gentleReader } from './read-again.ts'

/** Lists that keep the order in which they were read until the reader asks for another one. */
const isKept = ({ queryKey: [first, second] }: Query) => first === 'services' && second === 'page'

/** The services that others depend on or are dependents of, with their states. */
const relatives = [
  ['services', 'relatives'],
  ['services', 'dependents'],
] as const

/** Brings what an event tells into what is shown: at once where the event has it all, else by reading it again. */
export function eventApplier(client: QueryClient): (event: string, data: unknown) => void {
  const readAgain = gentleReader((queryKey) => client.invalidateQueries({ queryKey }))
  const appliers: Readonly<Record<string, (data: unknown) => void>> = {
    service_status(data) {
      const status = data as ServiceStatus
      showStatus(client, status)
      readAgain(['services', 'count'], ['board'], ...relatives)
      readAgain(['pings', status.id], ['failures', status.id], ['service_level', status.id])
    },
    status_change(data) {
      const { service_id: id } = data as StatusChange
      readAgain(['failures', id], ['status_change', id], ['rounds', id], ['performance', id], ['service_level', id])
      readAgain(['history_bars', 90, [id]], ...relatives)
    },
    notification: () => readAgain(['deliveries'], ['notices']),
    report: () => readAgain(['reports'], ['report']),
    sensor: () => readAgain(['sensors']),
    // Covers changes between the first answers and the first event.
    begun: () => readAgain(['service_statuses'], ['services', 'one'], ['board']),
    reset: () => void client.invalidateQueries({ predicate: (query) => !isKept(query) }),
  }
  return (event, data) => appliers[event]?.(data)
}

function showStatus(client: QueryClient, status: ServiceStatus): void {
  client.setQueriesData<ServiceStatus[]>({ queryKey: ['service_statuses'] }, (rows) =>
    rows?.map((row) => (row.id === status.id ? status : row)),
  )
  client.setQueryData<ShownService>(['services', 'one', status.id], (service) => service && { ...service, status })
}
