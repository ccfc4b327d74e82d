import type { CheckDeclaration } from '../declare.ts'
import { text } from '../settings.ts'
import {
  certificateDays,
  comparedValue,
  credentials,
  port,
  requestHeaders,
  timeout,
  verifyCertificate,
  warningDays,
} from '../shared-settings.ts'

export const prometheus: CheckDeclaration = {
  check: 'prometheus',
  family: 'servers',
  keywords: ['promql', 'metric', 'grafana', 'alert', 'metryka'],
  types: {
    prometheus: {
      name: { en: 'Prometheus query', pl: 'Zapytanie Prometheus' },
      ...{ addressPrefix: 'http://', addressForm: 'web', hasIpv6: true },
    },
    prometheus_tls: {
      name: { en: 'Prometheus query over HTTPS', pl: 'Zapytanie Prometheus przez HTTPS' },
      ...{ addressPrefix: 'https://', addressForm: 'web', hasIpv6: true },
    },
  },
  settings: [
    port(null),
    text(
      'promql',
      {
        en: { label: 'Query (PromQL)', description: 'The first sample of its result is compared, such as of sum(up).' },
        pl: { label: 'Zapytanie (PromQL)', description: 'Porównuje się pierwszą próbkę wyniku, na przykład sum(up).' },
      },
      { longest: 4000, default: 'vector(1)', is_nullable: false, suggested_form_element: 'textarea' },
    ),
    ...comparedValue,
    requestHeaders,
    ...credentials,
    verifyCertificate,
    certificateDays,
    warningDays,
    timeout(10_000),
  ],
}
