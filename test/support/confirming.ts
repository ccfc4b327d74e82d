import sql from 'sql-template-tag'
import type { DeliveryOutcome, Message, Transport } from '../../src/channels/delivery.ts'
import type { NotifierLog } from '../../src/notifications/notifier-log.ts'
import { startDeliveryWorkers } from '../../src/notifications/start.ts'
import { writeIntents } from '../../src/outbox/intents.ts'
import { type ApiWorld, apiWorld, type Reply } from './api.ts'
import { silentLog } from './monitoring.ts'
import type { Person } from './people.ts'
import { pointersOf } from './refused.ts'
import { idOf } from './replies.ts'

export type Place = readonly [channelId: string, address: string]

const mailbox: Place = ['email', 'alice@example.com']

export const pathOf = (id: number) => `/notification_addresses/${id}`

type Answer = (message: Message) => DeliveryOutcome
export const sent: Answer = () => ({ status: 'sent' })

export function codeIn(message: Message | undefined): string {
  return /\d{8}/.exec(message?.text ?? '')?.[0] ?? 'no code'
}

export function otherThan(code: string): string {
  return code === '00000000' ? '11111111' : '00000000'
}

export const wrong = (reply: Reply) => [reply.status, pointersOf(reply)]
export const isWrong = [422, ['incorrect_value data.code']]

export type ConfirmingWorld = Awaited<ReturnType<typeof confirmingWorld>>

/** An installation with open registration: its customers' addresses receive nothing before their code is confirmed. */
export async function confirmingWorld() {
  const world: ApiWorld = await apiWorld({ mustConfirmAddresses: true })
  let groupId = 0
  let serviceId = 0
  let pauses = 0

  /** Delivers what is due through a gateway for every channel that remembers what it got. */
  async function delivered(answer = sent, smsLimit?: number, log: NotifierLog = silentLog): Promise<Message[]> {
    const { database, clock } = world
    const messages: Message[] = []
    const channels = (['email', 'sms', 'jabber', 'gadu_gadu'] as const).map(
      (id): Transport => ({
        ...{
          id,
          notificationChannelIds: id === 'email' ? ['email', 'email_extended'] : [id],
          concurrency: 1,
          close: () => undefined,
        },
        async deliver(message) {
          messages.push(message)
          return answer(message)
        },
      }),
    )
    const notifier = await startDeliveryWorkers(
      {
        ...{ database, clock, log, publicUrl: 'http://api.test', diagnose: () => null },
        ...(smsLimit === undefined ? {} : { smsLimit }),
      },
      channels,
    )
    await notifier.drain()
    await notifier.stop()
    return messages
  }

  /** Decides to tell that the service is not monitored any more. */
  async function pauseService(): Promise<void> {
    pauses += 1
    const now = world.clock.now()
    const change = { changeId: pauses, state: 'paused', startedAt: now } as const
    const event = { condition: 'pause', eventId: `pause:${pauses}` } as const
    const notice = {
      ...{ serviceId, event, change, decidedAt: now, analysisId: null, checks: [] },
      pauseReason: 'user',
    } as const
    await world.database.transaction((transaction) => writeIntents(transaction, [notice], now))
  }
  return {
    ...world,
    groupId: () => groupId,
    /** A new group with a service that tells of its pauses, and nothing that was sent or counted. */
    async begin(): Promise<void> {
      await world.database.execute(sql`truncate notification_intents, address_codes, sms_days, login_failures`)
      groupId = idOf(await world.call('alice', 'POST', '/groups', { name: 'Told' }))
      serviceId = idOf(
        await world.call('alice', 'POST', '/services', {
          ...{ type_id: 'http', address: 'shop.example', name: 'Shop', group_id: groupId },
          notification_channel_ids: ['email', 'sms', 'jabber', 'gadu_gadu'],
          notification_condition_ids: ['pause'],
        }),
      )
    },
    async add([channelId, address]: Place = mailbox, person: Person = 'alice'): Promise<number> {
      const group = person === 'alice' ? { group_id: groupId } : {}
      const body = { ...group, notification_channel_id: channelId, address }
      return idOf(await world.call(person, 'POST', '/notification_addresses', body))
    },
    change: (id: number, body: object) => world.call('alice', 'PUT', pathOf(id), body),
    order: (id: number, person: Person = 'alice') => world.call(person, 'POST', `${pathOf(id)}/send_confirmation_code`),
    confirm: (id: number, code: string, person: Person = 'alice') =>
      world.call(person, 'POST', `${pathOf(id)}/confirm`, { code }),
    async isConfirmed(id: number): Promise<boolean> {
      return ((await world.call('alice', 'GET', pathOf(id))).body as { is_confirmed: boolean }).is_confirmed
    },
    delivered,
    /** The code that arrives now. */
    arrivingCode: async () => codeIn((await delivered()).at(-1)),
    pauseService,
    /** Where the pause of the service is told. */
    async told(): Promise<string[]> {
      await pauseService()
      const messages = await delivered()
      return messages.filter(({ condition }) => condition === 'pause').map(({ address }) => address)
    },
  }
}
