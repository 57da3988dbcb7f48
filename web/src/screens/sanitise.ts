import DOMPurify from 'dompurify';

/** What the service's own words may be made of (wire contract, "Errors"). Everything else goes, its text stays. */
const allowedTags = ['a', 'b', 'br', 'em', 'i', 'li', 'ol', 'p', 'strong', 'ul'];

/** A link leads to another page of the web and nowhere else. */
const webAddress = /^https?:\/\//i;

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (!node.hasAttribute('href')) return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer');
});

/**
 * Cleans words of the service that may be HTML. Where the browser has Trusted Types the result is one, made by the policy `dompurify`,
 * which the content policy has to name (`trusted-types dompurify`); elsewhere it is the cleaned string.
 */
export function sanitise(html: string): TrustedHTML | string {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: ['href'],
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
    ALLOWED_URI_REGEXP: webAddress,
    RETURN_TRUSTED_TYPE: true,
  });
}
