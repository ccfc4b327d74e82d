/** Types for the parts that we use of the package, which has none. */
declare module 'autocannon' {
  export interface Options {
    readonly url: string
    readonly method: 'GET' | 'POST' | 'PUT'
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
    readonly connections: number
    /** Requests in all. */
    readonly amount: number
    /** Milliseconds between samples; the end is noticed only at one. */
    readonly sampleInt: number
    /** Seconds. */
    readonly timeout: number
  }

  export interface Report {
    readonly '2xx': number
    readonly errors: number
  }

  export default function autocannon(options: Options): Promise<Report>
}
