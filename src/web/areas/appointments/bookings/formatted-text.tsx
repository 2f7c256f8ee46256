type FormattedTextProps = { part: 'welcome' | 'footer'; html: string | undefined }

/** Shows text that the owner wrote in Markdown and the server has converted to HTML. Source: rule K5. */
export function FormattedText({ part, html }: FormattedTextProps) {
  if (!html) return null
  return (
    <div
      data-part={part}
      className="formatted"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the server escapes the owner's text
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
