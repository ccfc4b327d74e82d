import type { CheckDeclaration } from '../declare.ts'
import {
  certificateDays,
  comparedValue,
  credentials,
  port,
  requestHeaders,
  text,
  timeout,
  verifyCertificate,
  warningDays,
} from '../settings.ts'

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
        en: 'Query (PromQL) whose first sample is compared, such as sum(up)',
        pl: 'Zapytanie (PromQL), którego pierwszą próbkę się porównuje, jak sum(up)',
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
