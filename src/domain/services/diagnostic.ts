/** The network diagnostics that a person can run from a station. */
export type DiagnosticRequest =
  | {
      readonly kind: 'dns'
      readonly host: string
      readonly query_type: string
      /** Host name or address; null asks the station's own name servers. */
      readonly server: string | null
      readonly port: number
    }
  | { readonly kind: 'traceroute'; readonly host: string }

export type DiagnosticKind = DiagnosticRequest['kind']

/** The time limit for a station, in seconds. */
export const diagnosticSeconds: Readonly<Record<DiagnosticKind, number>> = { dns: 10, traceroute: 60 }

/** Limits per login: `underWay` at a time, `kept` for a day. */
export const diagnosticLimits = { underWay: 3, kept: 100 } as const
