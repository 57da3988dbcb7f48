import { choosing } from './contexts.ts';
import { waitFor } from './moves.ts';
import { statesOf } from './state.ts';

const record = {
  correlationId: '2871934406-1170452913-3904418827-1561293340',
  timestamp: '2026-11-20T09:30:00Z',
};
const path = '/home/error?errorId=e-1';
const lines = waitFor('main dl button');

export const otherPageStates = statesOf('Other pages', 'error', [
  { id: 'error', name: 'error', path, moves: [lines] },
  { id: 'error-unknown', name: 'error, without details', path: '/no/such/page' },
  {
    id: 'error-user-not-found',
    name: 'error, unknown e-mail address',
    path,
    set: ({ script }) =>
      script.answer('getErrorMessage', {
        ...record,
        error: 'user_login_email_not_found',
        errorData: { 'Email Address': 'dana@elsewhere.example', 'Claim Name': 'email' },
      }),
    moves: [lines],
  },
  {
    id: 'error-no-email',
    name: 'error, identity provider without an e-mail address',
    path,
    set: ({ script }) =>
      script.answer('getErrorMessage', {
        ...record,
        error: 'email_claim_not_found',
        errorData: { 'Claim Name': 'email' },
      }),
    moves: [lines],
  },
  {
    id: 'error-long',
    name: 'error, long texts',
    path,
    set: ({ script }) =>
      script.answer('getErrorMessage', {
        ...record,
        error: 'invalid_request_object_signing_algorithm_unsupported',
        errorDescription:
          'The request object was signed with an algorithm that the provider does not support, and the application asks for no other.',
        errorData: {
          'Email Address':
            'alexandra.konstantinopoulou-featherstonehaugh@supervisory-board.northwind-holdings.example',
          'Claim Name': 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
        },
      }),
    moves: [lines],
  },
  {
    id: 'error-no-sites',
    name: 'error, empty list of sites',
    set: (stage) => {
      choosing()(stage);
      stage.script.answer('getSites', {
        sites: [],
        userFirstName: 'Dana',
        userLastName: 'Whitfield',
        boardsUserName: 'dwhitfield',
        directorToDoItemsEnabled: true,
      });
    },
    // nothing has failed, so the details are folded
    moves: [waitFor('main summary')],
  },
  { id: 'version', name: 'version', step: 'version', path: '/home/version' },
  {
    id: 'verified-email',
    name: 'e-mail address not verified',
    step: 'require-verified-login-email',
    path: '/home/require-verified-login-email',
  },
  {
    id: 'sample-destination',
    name: 'destination of a trial sign-in',
    step: 'sample-destination-url',
    path: '/home/sample-destination-url',
    set: ({ script, urls }) =>
      script.answer('getConfig', {
        globalSupportUrl: `${urls.application}/support`,
        privacyPolicyBaseUrl: `${urls.application}/privacy`,
        sampleDestination: true,
      }),
  },
]);
