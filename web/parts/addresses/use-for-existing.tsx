import { useState } from 'react'
import { useWords } from '../../words/words.ts'
import { CheckField } from '../fields.tsx'
import { useAddresses, useChannels, useNotifyBy, useUnheard } from './address-queries.ts'
import { notificationsWords } from './words.ts'

interface Asked {
  readonly groupId: number
  readonly channelId: string
  /** A new address of a group whose channel is known. */
  readonly isAsked: boolean
}

/**
 * Offers a new address to the services of its group that do not notify by its channel yet. The offer is ticked unless
 * another address has the channel, because then these services were left out on purpose. `take` takes it.
 */
export function useForExisting({ groupId, channelId, isAsked }: Asked) {
  const words = useWords(notificationsWords)
  const { data: channels = [] } = useChannels()
  const { data: addresses = [] } = useAddresses()
  const channel = channels.find(({ id }) => id === channelId)
  const isOffered = isAsked && channel !== undefined && channel.fields.length > 0
  const { data: services = [] } = useUnheard(groupId, channelId, isOffered)
  const notifying = useNotifyBy(channelId)
  const [chosen, setChosen] = useState<boolean | null>(null)
  const isFirst = !addresses.some((one) => one.group_id === groupId && one.notification_channel_id === channelId)
  const isTicked = chosen ?? isFirst
  if (!isOffered || services.length === 0) return { offer: null, take: () => undefined }
  return {
    offer: <CheckField label={words.forExisting(channel.name, services.length)} checked={isTicked} set={setChosen} />,
    // The list of addresses makes the same offer for services that refused.
    take: () => (isTicked ? notifying.mutate(services) : undefined),
  }
}
