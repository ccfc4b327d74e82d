/** Types for the parts that we use of the package, which has none. */
declare module 's3rver' {
  interface Options {
    readonly address: string
    readonly port: number
    readonly silent: boolean
    readonly directory: string
    readonly configureBuckets: readonly { readonly name: string }[]
  }

  interface PutObject {
    readonly bucket: string
    readonly key: string
    readonly content: Buffer | import('node:stream').Readable
    readonly metadata: object
  }

  interface Store {
    putObject(object: PutObject): Promise<{ readonly size: number; readonly md5: string }>
    putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>
    getResourcePath(bucket: string, key: string, resource: string): string
  }

  interface Server {
    readonly store: Store
    run(): Promise<{ readonly port: number }>
    close(): Promise<void>
  }

  namespace S3rver {
    export type { Store }
  }
  const S3rver: new (options: Options) => Server
  export = S3rver
}
