/** The members of the API's answers that the pages show. */

export interface Service {
  readonly id: number
  readonly name: string
  readonly address: string
  readonly interval: number
  readonly status: Status | null
  readonly group: { readonly name: string } | null
  readonly type: { readonly name: string; readonly address_prefix: string } | null
}

export interface Status {
  readonly summary: string
  readonly last_check_status_change_time: string | null
  readonly last_analysis_id: string | null
  readonly last_analysis_time: string | null
  readonly last_failure_analysis_id: string | null
  readonly last_failure_analysis_time: string | null
}

export interface StatusChange {
  readonly status: 'ok' | 'failure' | 'paused'
  readonly first_analysis_id: string | null
  readonly start_time: string
  readonly end_time: string | null
  readonly duration: number
}

export interface Analysis {
  readonly analysis_id: string
  readonly time: string
  readonly failure: boolean
  readonly ok_checks_count: number
  readonly error_checks_count: number
  readonly unknown_checks_count: number
}

export interface Check {
  readonly sensor_id: number
  readonly result: 'ok' | 'error' | 'unknown'
  readonly response_time: number | null
  readonly error_message: string | null
  readonly sensor: { readonly name: string; readonly city: string } | null
  readonly error_type: { readonly id: number; readonly name: string; readonly diagnosis: string } | null
}

export interface Artifact {
  readonly id: string
}

export interface Account {
  readonly time_zone_id: string
}
