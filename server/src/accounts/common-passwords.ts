/**
 * The passwords that are guessed first: the most frequent ones of eight characters and more from
 * published leaks, keyboard patterns in both layouts, and local favourites.
 */
export const COMMON_PASSWORDS: string[] =
  `12345678 123456789 1234567890 123123123 11111111 111111111 1111111111 00000000 000000000
  0000000000 87654321 987654321 0987654321 9876543210 12341234 12344321 123454321 1234554321
  123456123 123456123456 123456789a 1234567a 12345678a a12345678 a123456789 1234567q 12345678q
  q12345678 147258369 159357159 159753456 741852963 789456123 963852741 999999999 88888888 77777777
  66666666 55555555 44444444 33333333 22222222 99999999 777777777 888888888 12121212 123321123
  123qwe123 112233445 1122334455 13131313 20202020 password password1 password12 password123
  password1234 passw0rd p@ssword p@ssw0rd pa55word mypassword passport qwertyui qwertyuiop
  qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 1qaz2wsx 1qaz2wsx3edc 1q2w3e4r 1q2w3e4r5t
  1q2w3e4r5t6y q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 zaq12wsx zaq1zaq1 qazwsxedc qazwsx123 asdfghjk
  asdfghjkl asdf1234 asdfasdf zxcvbnm1 zxcvbnm123 zxcvbnm, zxcvbnmm qweasdzxc qweasd123 qwe123qwe
  qweqweqwe qwer1234 1234qwer 123qweasd 123qweasdzxc abcd1234 abc12345 abc123456 abcdefgh
  abcdefghi abcdefg1 aaaaaaaa aa123456 aa12345678 a1b2c3d4 a1234567 zzzzzzzz iloveyou iloveyou1
  sunshine princess football baseball superman batman123 computer internet whatever trustno1
  michelle jennifer jonathan jordan23 welcome1 welcome123 letmein1 letmein123 admin123 admin1234
  admin12345 administrator adminadmin rootroot changeme default1 secret123 test1234 test12345
  testtest testing123 user1234 useruser guest123 login123 monkey123 dragon123 master123 shadow123
  killer123 freedom1 starwars pokemon1 liverpool chelsea1 arsenal1 barcelona juventus realmadrid
  samsung1 samsung123 iphone12 android1 google123 facebook instagram telegram whatsapp vkontakte
  marlboro mercedes bmw12345 toyota123 porsche911 ferrari1 corvette mustang1 harley12 yamaha123
  spiderman nintendo minecraft playstation counter1 warcraft matrix123 hello123 hellohello
  summer2023 summer2024 summer2025 winter2024 winter2025 spring2025 qazxswedc qwaszx12 1qazxsw2
  !qaz2wsx 1qaz!qaz zaq!2wsx q1q1q1q1 w2w2w2w2 asd123asd asd12345 zxc12345 zxcv1234 poiuytrewq
  lkjhgfdsa mnbvcxz1 йцукенгш йцукенгшщз йцукен123 йцукен12 фывапролд фывапрол ячсмитьбю пароль123
  пароль12 парольпароль любимая1 привет123 солнышко наташа123 kazakhstan kazakhstan1 qazaqstan
  qazaqstan1 kazakh123 kz123456 almaty123 almaty2024 almaty2025 astana123 astana2024 astana2025
  shymkent karaganda aktobe123 nursultan nursultan1 zhiber123 zhiberkz zhiberzhiber nauryz2025
  kaspi123 kaspi1234 kaspi2024 kaspibank beeline1 tele2tele kcell123 aigerim1 aigerim123 aliya123
  ainura123 asylkhan nurlan123 daniyar1 alikhan1 sabina123 madina123 damir123 arman1234
  мұстафа1 алматы123 казахстан қазақстан астана123`.split(/\s+/);
