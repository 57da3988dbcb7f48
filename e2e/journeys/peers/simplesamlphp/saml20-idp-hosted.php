<?php
$metadata['__DYNAMIC:1__'] = [
    'host' => '__DEFAULT__',
    'auth' => 'employees',
    'privatekey' => 'provider.key',
    'certificate' => 'provider.crt',
    // as docs/enterprise.md and `npx anteroom connections guide corp simplesamlphp` ask for
    'sign.logout' => true,
    'NameIDFormat' => 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    'authproc' => [10 => ['class' => 'saml:PersistentNameID', 'attribute' => 'uid']],
];
