/** Checks over UDP: `test/checks/hostile-datagrams.test.ts` has their nasty cases. */
export const overDatagrams: readonly string[] = ['dns', 'ntp', 'snmp', 'udp']

/** Checks whose nasty cases are in files of their own; `test/checks/hostile-protocols.test.ts` takes all others. */
export const ownNastyCases: Readonly<Record<string, readonly string[]>> = {
  http: [
    'test/checks/http-truth-table.test.ts',
    'test/checks/https-truth-table.test.ts',
    'test/checks/endless.test.ts',
  ],
  page: ['test/browser/hostile-pages.test.ts', 'test/browser/endurance.test.ts'],
  ping: ['test/checks/ping.test.ts'],
  scenario: ['test/browser/scenario.test.ts'],
  smtp_helo: ['test/checks/smtp-helo.test.ts', 'test/checks/endless.test.ts'],
  tcp_connect: ['test/checks/tcp-connect.test.ts'],
}
