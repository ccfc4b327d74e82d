export interface Attachment {
  readonly fileName: string
  readonly contentType: string
  readonly content: string | Buffer
}

/** A picture from a failed check, shown inside the message. */
export interface Picture {
  readonly contentType: string
  readonly content: Buffer
  /** The sensor that made it. */
  readonly sensorId: number
}

export interface Wording {
  readonly subject: string
  readonly text: string
  /** The same content as the text, for readers that show HTML. */
  readonly html?: string
  /** Called `picture` in the HTML. */
  readonly picture?: Picture
  readonly attachment: Attachment | null
}

/** The id of the attached picture in the HTML. */
export const pictureId = 'picture@latarnik'
