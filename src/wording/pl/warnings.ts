import type { WarningTexts } from '../catalogue.ts'

export const warnings: WarningTexts = {
  no_sensor:
    'Usłudze nie przydzielono żadnej stacji, więc nie jest sprawdzana. Przydziel stacje jej kategorii grupie albo samej usłudze (sensor_ids).',
  no_capable_sensor:
    'Żadna stacja, której można użyć, nie umie sprawdzać usług tego typu, więc nic o niej nie będzie wiadomo. Przydziel inną stację albo poproś operatora o taką, która ma, czego potrzeba: przeglądarkę, IPv6, prawo do ping.',
  no_confirmation_code:
    'W ciągu doby nie wysłano na ten adres kodu potwierdzającego: za dużo kodów wysłano już na ten adres albo z tego konta, pakiet nie ma tego kanału albo nikt o kod nie prosił. Do czasu potwierdzenia na adres nie przyjdzie żadne powiadomienie. O kod można poprosić później: POST /notification_addresses/{_id}/send_confirmation_code.',
  nobody_told:
    'O awarii usługi nikt się nie dowie: żaden potwierdzony adres jej grupy nie jest na jej kanałach, a usługa nie ma osoby ani eskalacji. Dodaj adres do grupy albo kanał adresu tej grupy do notification_channel_ids. Jeśli tak ma być, usuń failure z notification_condition_ids.',
  no_service_uses_it:
    'Żadna aktywna usługa nie wysyła na ten adres: żadna w jego grupie nie ma tego kanału w notification_channel_ids. Dodaj kanał do usług albo przenieś adres do grupy, w której są.',
  group_without_sensor:
    'Aktywne usługi tej grupy potrzebują stacji kategorii {category}, a grupa nie ma żadnej, więc nie są sprawdzane.',
}
