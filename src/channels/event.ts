/** An event for programs (docs/webhooks.md). Members have the API's names; moments are RFC 3339. */
export interface EventBody {
  /** `service.failure`, `service.recovery` …, or `test`. */
  readonly type: string
  readonly timestamp: string
  readonly data: EventData
}

export interface EventData {
  /** Null: the event is not about a service. */
  readonly service: {
    readonly id: number
    readonly name: string
    readonly address: string
    /** The setting where it is not the usual one of the type; null otherwise. */
    readonly port: number | null
    readonly type_id: string
    readonly group_id: number
    readonly tags: readonly string[]
    /** The page for people. */
    readonly url: string
  } | null
  /** The failure, for a failure and its end; otherwise the state that began. */
  readonly status_change: {
    readonly change_id: string
    readonly start_time: string
    readonly end_time: string | null
    /** Seconds; null while it lasts. */
    readonly duration: number | null
  } | null
  /** For `service.degraded` and `service.degraded_end`; absent in other messages. */
  readonly degraded?: {
    readonly reasons: readonly string[]
    readonly start_time: string
    readonly end_time: string | null
    /** Seconds; null while it lasts. */
    readonly duration: number | null
    /** In a warning about the end of a certificate or domain. */
    readonly expiry?: {
      readonly kind: 'certificate' | 'domain'
      readonly name: string
      readonly expires_at: string
      /** The warning, from the service's `warning_days`. */
      readonly warning_days: number
    }
  }
  readonly analysis: {
    readonly analysis_id: string
    readonly ok: number
    readonly error: number
    readonly unknown: number
  } | null
  readonly checks: readonly {
    /** Null: the core judged what the service reported. */
    readonly sensor_id: number | null
    readonly sensor: string
    readonly result: string
    /** Symbol of the catalogue of error types. */
    readonly error_type: string | null
    readonly message: string | null
    /** Milliseconds. */
    readonly response_time: number | null
  }[]
  /** The escalation step that sends it; absent in other messages. */
  readonly escalation?: {
    readonly escalation_id: number
    readonly name: string
    /** From 1. */
    readonly step: number
    readonly steps: number
    /** 0 for the first notification of the step. */
    readonly repeat: number
  }
  readonly message: { readonly subject: string; readonly text: string }
}
