import type { MessageBusWatch } from '../message-bus/watched-carrier.ts'
import type { Metrics } from '../telemetry/metrics.ts'

/** The metrics of messages between processes. */
export function measureMessageBus(metrics: Metrics): MessageBusWatch {
  const up = new Map<string, boolean>()
  metrics.onCollect(() => {
    for (const [carrier, isUp] of up) metrics.set('latarnik_exchange_up', { carrier }, isUp ? 1 : 0)
  })
  return {
    sent: (carrier) => metrics.count('latarnik_exchange_messages_total', { carrier, direction: 'sent' }),
    received: (carrier) => metrics.count('latarnik_exchange_messages_total', { carrier, direction: 'received' }),
    refused: (carrier, reason) => metrics.count('latarnik_exchange_messages_refused_total', { carrier, reason }),
    changed(carrier, isUp) {
      if (up.get(carrier) === true && !isUp) metrics.count('latarnik_exchange_outages_total', { carrier })
      up.set(carrier, isUp)
    },
    acknowledged: (carrier, afterMs) =>
      metrics.observe('latarnik_exchange_acknowledgement_seconds', { carrier }, afterMs / 1000),
    sentAgain: () => metrics.count('latarnik_exchange_frames_sent_again_total', {}),
  }
}
