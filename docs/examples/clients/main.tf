# Watches an address and names who is told of failures.
# MONIT24_USER=… MONIT24_PASSWORD=… terraform apply -var address=shop.example.com/
terraform {
  required_providers {
    monit24 = {
      source = "monit24/monit24"
    }
  }
}

variable "address" {
  type = string
}

resource "monit24_group" "shop" {
  name = "Shop"
}

resource "monit24_service" "front_page" {
  type_id                    = "http"
  name                       = "Front page"
  address                    = var.address
  group_id                   = monit24_group.shop.id
  interval                   = 300
  notification_channel_ids   = ["email"]
  notification_condition_ids = ["failure", "recovery"]
  extended_settings = {
    http_method = "GET"
  }
}

resource "monit24_notification_address" "shop" {
  address                 = "shop@example.com"
  notification_channel_id = "email"
  group_id                = monit24_group.shop.id
}

output "service" {
  value = monit24_service.front_page.id
}
