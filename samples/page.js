/** The page after a sign-out, shared by the samples with a server. */
export function signedOut(signInAddress) {
  return draw(`<a href="${escape(signInAddress)}">Sign in</a>`);
}

export function signedIn({ name, site }, signOutAddress) {
  return draw(`<p>${escape(name)} at ${escape(site)}</p><a href="${escape(signOutAddress)}">Sign out</a>`);
}

function draw(content) {
  return `<!doctype html><html lang="en"><title>Boards</title><link rel="icon" href="data:,">${content}</html>`;
}

function escape(text) {
  return String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
