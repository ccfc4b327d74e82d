declare module '*.css'

/** The address of a style that is no part of the first one. */
declare module '*.css?alone' {
  const address: string
  export default address
}
