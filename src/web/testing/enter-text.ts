import type { UserEvent } from '@testing-library/user-event'

/**
 * Puts a text behind what a field has, all at once, as autofill and the clipboard do. A form is drawn for every letter
 * that is typed, so `user.type` is for tests about typing itself, and for short texts.
 */
export async function enterText(
  user: Pick<UserEvent, 'click' | 'paste'>,
  field: Element,
  text: string,
): Promise<void> {
  await user.click(field)
  await user.paste(text)
}
