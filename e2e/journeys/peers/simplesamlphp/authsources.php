<?php
$config = [
    'employees' => [
        'exampleauth:UserPass',
        'employee:' . getenv('PASSWORD') => [
            'uid' => ['e-1001'],
            'mail' => ['employee@corp.example'],
            'givenName' => ['Elias'],
            'sn' => ['Marchetti'],
        ],
        'contractor:' . getenv('PASSWORD') => [
            'uid' => ['e-2002'],
            'mail' => ['contractor@partner.example'],
            'givenName' => ['Clara'],
            'sn' => ['Tor'],
        ],
    ],
];
