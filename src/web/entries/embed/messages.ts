export type FrameTheme = 'light' | 'dark'

/**
 * The settings that the embedding page passes to the booking page. They are in the frame's name, not in its URL, so that they
 * survive a reload and no server sees them.
 */
export type FrameSettings = {
  /** Part of every message, so that messages of other scripts are not mistaken for ours. */
  readonly nonce: string
  /** The exact origin of the embedding page, which receives the frame's messages. */
  readonly origin: string
  readonly theme: FrameTheme
  /** True for an inline frame with the height of its content; false for a frame in a dialog. */
  readonly isInline: boolean
}

/** A message from the booking page to the embedding page. It has no personal data. Source: rule W21. */
export type FrameMessage =
  | { readonly nonce: string; readonly type: 'ready' | 'booked' | 'close' }
  /** The height in CSS pixels. */
  | { readonly nonce: string; readonly type: 'height'; readonly height: number }

/** A message from the embedding page to the booking page, sent in response to `ready` and after each change of the theme. */
export type HostMessage = { readonly nonce: string; readonly theme: FrameTheme }
