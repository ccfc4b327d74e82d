/** What a person wants to see from where a station stands. */
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

/** How long a station may take, in seconds. */
export const diagnosticSeconds: Readonly<Record<DiagnosticKind, number>> = { dns: 10, traceroute: 60 }

/** What one login may ask for: at a time, and of what is kept (a day). */
export const diagnosticLimits = { underWay: 3, kept: 100 } as const
