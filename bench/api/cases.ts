/** One kind of request, sent to the bare route and to the API. */
export interface Case {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT'
  /** The same for both, below `/v3`. */
  readonly path: string
  readonly body?: Readonly<Record<string, unknown>>
  /** Requests in one measurement: together a fraction of a second of work. */
  readonly requests: number
  /** The most that the API may cost in units of the bare route; only shown where there is none. */
  readonly target?: number
}

/** `serviceId` is a service of the measured account. */
export function casesOf(serviceId: number): readonly Case[] {
  const list = { method: 'GET' } as const
  return [
    { ...list, name: 'one service', path: `/services/${serviceId}`, requests: 400 },
    { ...list, name: 'list of 10', path: '/services', requests: 100 },
    {
      ...list,
      name: '1000, status and permissions',
      path: '/services?limit=1000&embed=status,permissions',
      requests: 20,
      target: 2,
    },
    {
      ...list,
      name: '1000, all four embedded',
      path: '/services?limit=1000&embed=group,type,status,permissions',
      requests: 20,
      target: 2.5,
    },
    { ...list, name: 'status.summary=failure', path: '/services?status.summary=failure', requests: 50 },
    { ...list, name: 'name~=łódź', path: '/services?name~=%C5%82%C3%B3d%C5%BA', requests: 20 },
    { ...list, name: 'query=klient-77', path: '/services?query=klient-77', requests: 20 },
    { ...list, name: 'sort=name', path: '/services?sort=name', requests: 20 },
    {
      method: 'POST',
      name: 'create a service',
      path: '/services',
      body: { type_id: 'https', name: 'Nowy sklep', address: 'www.nowy.example', extended_settings: { timeout: 5000 } },
      requests: 100,
    },
    {
      method: 'PUT',
      name: 'change a service',
      path: `/services/${serviceId}`,
      body: { name: 'Sklep', description: 'Przeniesiony na nowy serwer' },
      requests: 200,
    },
  ]
}
