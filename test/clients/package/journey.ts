import { type Client, type ClientOptions, createClient, ProblemError } from 'latarnik/client'

/** A program that has installed the package. Nothing is cast. */

export async function journey(options: ClientOptions, address: string) {
  const api = createClient(options)
  const group = await api.post('/groups', { body: { name: 'Shop' } })
  const body = { name: 'Front page', type_id: 'http', address, group_id: group.id } as const
  const { id } = await api.post('/services', { body })
  const names: string[] = []
  for await (const { name } of api.list('/services', { query: { group_id: [group.id], fields: ['name'] } }))
    names.push(name.toUpperCase())
  return { status: await firstStatus(api, id), names, heard: await hear(api, id), refused: await refusal(api) }
}

function pause(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds))
}

async function firstStatus(api: Client, id: number): Promise<string> {
  for (let tries = 0; tries < 600; tries += 1) {
    const { summary } = await api.get('/service_statuses/{_id}', { path: { _id: id } })
    if (summary !== 'unknown') return summary
    await pause(100)
  }
  return 'unknown'
}

/** Changes the service until an event tells of it. */
async function hear(api: Client, id: number) {
  const stopping = new AbortController()
  const next = api.events({ signal: stopping.signal }).next()
  for (let tries = 0; tries < 100; tries += 1) {
    await api.put('/services/{_id}', { path: { _id: id }, body: { is_active: tries % 2 === 1 } })
    const found = await Promise.race([next, pause(500)])
    if (found === undefined || found.done === true) continue
    stopping.abort()
    const { event, data } = found.value
    return event === 'service_status' ? data.id === id : event === 'status_change' && data.service_id === id
  }
  return false
}

async function refusal(api: Client): Promise<readonly (string | undefined)[]> {
  try {
    await api.post('/groups', { body: { name: '' } })
    return []
  } catch (error) {
    if (error instanceof ProblemError) return error.problems.map(({ field }) => field)
    throw error
  }
}
